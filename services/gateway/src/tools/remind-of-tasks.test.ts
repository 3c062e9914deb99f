import { describe, expect, it } from '@jest/globals';
import { memoryContract, outreachContract, type TaskView } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { Claim } from '../inbox/claim.js';
import type { NoteOrigin } from './note-origin.js';
import { tasksToRemind } from './remind-of-tasks.js';
import { taskTools } from './task-tools.js';

const now = new Date('2027-01-02T10:00:00Z');
const task = (number: number, dueAt: string | null, audience: TaskView['audience'] = 'direct'): TaskView => ({
  ...{ id: `${number}`, companionId: 'mira', audience, number, text: `task ${number}`, state: 'open' },
  ...{ priority: 2, dueAt, waitsFor: null, notedBy: 'companion', sources: [] },
  ...{ createdAt: now.toISOString(), updatedAt: now.toISOString() },
});

describe('reminders of tasks', () => {
  it('are of what is due within a day, and of nothing that is over, far, or another place’s', () => {
    const times = [
      null,
      '2027-01-02T09:59:00Z',
      '2027-01-02T10:30:00Z',
      '2027-01-03T10:00:00Z',
      '2027-01-03T10:01:00Z',
    ];
    const tasks = times.map((time, n) => task(n, time));
    const elsewhere = task(9, '2027-01-02T10:30:00Z', 'channel:discord:1');
    expect(tasksToRemind([...tasks, elsewhere], now).map(({ number }) => number)).toEqual([2, 3]);
  });

  /** Notes a task, and returns what the scheduler was asked to keep. */
  async function remindersOnNoting(noted: TaskView, away = false) {
    const kept: object[] = [];
    const ask = async (contract: object, request: object) => {
      if (contract === memoryContract.addTask) return noted;
      if (contract !== outreachContract.intend || away) throw new Error('out of reach');
      kept.push(request);
      return { kept: true, why: null };
    };
    const claim = { personId: 'ada', companionId: 'mira', audience: noted.audience } as Claim;
    const origin: NoteOrigin = { answered: [], sourcesOf: () => [], turnIds: [], begunAt: '' };
    const tools = taskTools({ messenger: { ask } as unknown as Messenger }, claim, origin);
    const add = tools.find(({ definition }) => definition.name === 'task_add');
    const told = await add?.call({ text: noted.text }, { key: 'k', signal: AbortSignal.timeout(1_000) });
    return { kept, told };
  }
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

  it('are planned as a task is noted, where the day’s heartbeat may be over', async () => {
    const dueAt = inHours(3);
    const { kept } = await remindersOnNoting(task(1, dueAt));
    expect(kept).toMatchObject([
      { personId: 'ada', companionId: 'mira', about: 'task 1', at: dueAt, taskId: '1' },
    ]);
    expect((await remindersOnNoting(task(1, inHours(30)))).kept).toEqual([]);
  });

  it('never keep a task from being noted', async () => {
    expect((await remindersOnNoting(task(1, inHours(3)), true)).told).toMatch(/^Kept: 1\. task 1/);
  });
});
