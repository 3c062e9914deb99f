import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { outreachContract, present, type TaskView } from '@kith/contracts';
import { eventually } from '@kith/testing';
import { others, stores, messenger, severalScans, overview, allow } from './open-scheduler.js';

/** Tests that what a task reminds of is told only as long as the task stands. */
export function taskReminders(): void {
  describe('reminds of a task', () => {
    const id = randomUUID();
    const reminded = async (task: TaskView) => {
      const personId = randomUUID();
      await allow(personId);
      others.tasks = [task];
      const reason = { personId, companionId: 'odo', about: task.text, messageIds: [], taskId: id };
      await messenger.ask(outreachContract.intend, { ...reason, at: inSeconds(60) });
      const due = 'UPDATE intentions SET due_at = $2 WHERE person_id = $1';
      await stores.query(due, [personId, present(task.dueAt)]);
      await severalScans();
      const { attemptId } = await eventually('the outreach is ordered', () =>
        others.reachOuts.find((one) => one.personId === personId),
      );
      return { personId, attemptId };
    };
    const taskDue = (dueAt: string): TaskView => ({
      id,
      companionId: 'odo',
      audience: 'direct',
      number: 1,
      text: 'book the dentist',
      state: 'open',
      priority: 2,
      dueAt,
      waitsFor: null,
      notedBy: 'companion',
      sources: [],
      createdAt: dueAt,
      updatedAt: dueAt,
    });
    const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
    const LATER = inSeconds(8 * 3_600);

    it.each<[string, (task: TaskView) => TaskView[] | null, 'written' | 'over' | 'later']>([
      ['that is open', (task) => [{ ...task, id: randomUUID(), state: 'done' }, task], 'written'],
      ['that waits', (task) => [{ ...task, state: 'waiting' }], 'written'],
      ['also while memory does not answer', () => null, 'written'],
      ['no more once it is done', (task) => [{ ...task, state: 'done' }], 'over'],
      ['at its new time once it is put off', (task) => [{ ...task, dueAt: LATER }], 'later'],
      ['no more once it is never due', (task) => [{ ...task, dueAt: null }], 'over'],
      ['no more once it is gone', () => [], 'over'],
    ])('%s', async (_, become, outcome) => {
      const task = taskDue(inSeconds(-1));
      const { personId, attemptId } = await reminded(task);
      others.tasks = become(task);
      const why = await messenger.ask(outreachContract.reasonOf, { personId, attemptId });
      expect(why.reason?.includes(task.text) ?? false).toBe(outcome === 'written');
      const { allowed } = await messenger.ask(outreachContract.mayArrive, { personId, attemptId });
      expect(allowed).toBe(outcome === 'written');
      await severalScans();
      expect(others.reachOuts.filter((one) => one.personId === personId)).toHaveLength(1);
      const { recent, intentions } = await overview(personId);
      expect(recent).toMatchObject([{ sources: ['thought'] }]);
      const open = intentions.filter(({ status }) => status === 'open');
      expect(open.map((one) => one.dueAt)).toEqual(outcome === 'later' ? [LATER] : []);
    });

    it.each<[string, Partial<TaskView>]>([
      ['done', { state: 'done' }],
      ['put off', { dueAt: LATER }],
    ])('once its turn told it, though the companion noted it as %s there', async (_, change) => {
      const task = taskDue(inSeconds(-1));
      const attempt = await reminded(task);
      const [endedAt, writtenAt] = [inSeconds(1), inSeconds(2)];
      others.tasks = [{ ...task, ...change, updatedAt: endedAt }];
      const mayArrive = async (request: object) =>
        (await messenger.ask(outreachContract.mayArrive, { ...attempt, ...request })).allowed;
      expect(await mayArrive({ writtenAt })).toBe(true);
      others.tasks = [{ ...task, ...change, updatedAt: inSeconds(3) }];
      expect(await mayArrive({ writtenAt })).toBe(false);
    });

    it('no more once they asked for silence in a turn that no job has read yet', async () => {
      const attempt = await reminded(taskDue(inSeconds(-1)));
      const mayArrive = async (spokenIn: string[]) =>
        (await messenger.ask(outreachContract.mayArrive, { ...attempt, spokenIn })).allowed;
      expect(await mayArrive([])).toBe(true);
      const { personId } = attempt;
      const [turnId, endedAt] = [randomUUID(), new Date()];
      others.said.set(turnId, { personId, text: 'Stop messaging me.', at: endedAt.toISOString(), endedAt });
      expect(await mayArrive([turnId])).toBe(false);
      expect((await overview(personId)).settings).toMatchObject({ optedIn: false });
    });
  });
}
