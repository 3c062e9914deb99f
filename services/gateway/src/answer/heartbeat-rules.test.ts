import { describe, expect, it } from '@jest/globals';
import { memoryContract, type TaskView } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { Claim } from '../inbox/claim.js';
import { mindState, readMind, tasksToRemind } from './heartbeat-rules.js';

const now = new Date('2027-01-02T10:00:00Z');
const task = (number: number, dueAt: string | null): TaskView => ({
  id: `${number}`,
  companionId: 'mira',
  audience: 'direct',
  number,
  text: `task ${number}`,
  state: 'open',
  priority: 2,
  dueAt,
  waitsFor: null,
  notedBy: 'companion',
  sources: [],
  createdAt: now.toISOString(),
  updatedAt: now.toISOString(),
});

describe('a heartbeat without a model', () => {
  it('reminds of what is due within a day or was just due, and of nothing that is far', () => {
    const times = [
      null,
      '2027-01-02T04:00:00Z',
      '2027-01-02T04:01:00Z',
      '2027-01-02T10:30:00Z',
      '2027-01-03T10:00:00Z',
      '2027-01-03T10:01:00Z',
    ];
    const due = tasksToRemind(
      times.map((time, n) => task(n, time)),
      now,
    );
    expect(due.map(({ number }) => number)).toEqual([2, 3, 4]);
  });

  it('has the tasks of its own place alone in mind', async () => {
    const tasks = [task(1, null), { ...task(2, null), audience: 'channel:discord:1' }];
    const answers = new Map<unknown, unknown>([
      [memoryContract.tasks, { tasks }],
      [memoryContract.core, { blocks: [] }],
      [memoryContract.unsettled, { contradictions: [] }],
      [memoryContract.stats, { memories: 0 }],
    ]);
    const messenger = { ask: async (contract: unknown) => answers.get(contract) } as Pick<Messenger, 'ask'>;
    const claim = { personId: 'ann', companionId: 'mira', audience: 'direct' } as Claim;
    expect((await readMind(messenger, claim)).tasks).toEqual(tasks.slice(0, 1));
  });

  it('keeps a state of mind that holds no words', () => {
    const core = [
      {
        label: 'human' as const,
        audience: 'direct',
        text: 'Ann bakes.',
        updatedBy: 'person' as const,
        updatedAt: now.toISOString(),
      },
    ];
    const state = mindState({ tasks: [task(1, null)], core, unsettled: [], memories: 3 });
    expect(state).toMatchObject({ memories: 3, unsettled: 0 });
    expect(state.core).toEqual([{ label: 'human', characters: 10, updatedAt: now.toISOString() }]);
    expect(JSON.stringify(state)).not.toMatch(/Ann|task 1/);
  });
});
