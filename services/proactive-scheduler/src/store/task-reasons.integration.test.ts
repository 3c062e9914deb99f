import { describe, expect, it } from '@jest/globals';
import {
  intentionRecords,
  minutes,
  NOON,
  optIn,
  personId,
  records,
  setUpOutreach,
} from '../e2e/outreach-suite.js';
import { TASK_SOURCE } from '../decision/plan-intention.js';

setUpOutreach();

/** Reminds of a task. Returns null, or why that is not kept. */
const remind = (taskId: string, about: string, inMinutes: number) =>
  intentionRecords().intend(
    { personId, companionId: 'wren' },
    { about, dueAt: minutes(inMinutes), exact: true, sources: ['thought', `${TASK_SOURCE}${taskId}`] },
    NOON,
    async () => null,
  );
const kept = async () =>
  (await records.overview(personId, NOON)).intentions
    .map(({ about, dueAt }) => [about, (new Date(dueAt).getTime() - NOON.getTime()) / 60_000])
    .sort();

describe('reminders of tasks', () => {
  it('are kept once for each, of the same words for another hour too', async () => {
    await optIn();
    expect(await remind('1', 'take the pills', 60)).toBeNull();
    expect(await remind('1', 'take the pills', 60)).toBe('that is kept already');
    expect(await remind('2', 'take the pills', 600)).toBeNull();
    // As somebody has it who asked for a task and for a message of it.
    expect(await remind('3', 'take the pills', 605)).toBe('that is kept already');
    expect(await kept()).toEqual([
      ['take the pills', 60],
      ['take the pills', 600],
    ]);
  });

  it('are not kept again once they were reminded of it, unless it is put off', async () => {
    await optIn();
    await remind('1', 'take the pills', 60);
    const { attempt } = await records.decideFor(personId, minutes(61), false);
    expect(attempt).toMatchObject({ kind: 'interest' });
    expect(await remind('1', 'take the pills', 60)).toBe('they were reminded of it already');
    expect(await remind('1', 'take the pills', 600)).toBeNull();
  });

  it('come sooner where the task does, and have its words', async () => {
    await optIn();
    await remind('1', 'call Ann', 600);
    expect(await remind('1', 'call Ann', 60)).toBeNull();
    expect(await kept()).toEqual([['call Ann', 60]]);
    expect(await remind('1', 'call Bob', 60)).toBeNull();
    expect(await kept()).toEqual([['call Bob', 60]]);
  });
});
