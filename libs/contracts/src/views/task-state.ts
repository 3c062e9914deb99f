import { z } from 'zod';
import { HOUR_MS } from '../time/durations.js';

/** State of a task: `waiting` ones wait for somebody or something; `done` and `dropped` ones are over. */
export const TaskState = z.enum(['open', 'waiting', 'done', 'dropped']);
export type TaskState = z.infer<typeof TaskState>;

/** States of a task that is not over. */
export const OPEN_TASK_STATES: readonly TaskState[] = ['open', 'waiting'];

/**
 * Time after a task was due in which its person is still reminded of it: the suite may have been off at that hour, or the
 * task was noted minutes before. Later it is only in prompts.
 */
export const REMIND_LATE_MS = 6 * HOUR_MS;

/** Tells whether a task is not over. */
export function isOpenTask({ state }: { state: TaskState }): boolean {
  return OPEN_TASK_STATES.includes(state);
}
