import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { HOUR_MS } from '../time/durations.js';
import { Audience, CompanionId, Uuid } from '../values/words.js';

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

const Text = z.string().trim().min(1).max(300);
const Priority = z.int().min(1).max(3);

/** Task of a companion's with a person. */
export const TaskView = z.object({
  id: Uuid,
  companionId: CompanionId,
  audience: Audience,
  /** Number by which it is named in talk. */
  number: z.int(),
  text: z.string(),
  state: TaskState,
  /** 1 is the highest, 3 the lowest. */
  priority: z.int(),
  dueAt: IsoTime.nullable(),
  waitsFor: z.string().nullable(),
  notedBy: z.enum(['companion', 'person']),
  /** The messages it was noted for: it goes when they are forgotten. */
  sources: z.array(z.string()),
  createdAt: IsoTime,
  updatedAt: IsoTime,
});
export type TaskView = z.infer<typeof TaskView>;

/** Task that is to be noted. */
export const NewTask = z.object({
  text: Text,
  priority: Priority.default(2),
  dueAt: IsoTime.nullable().default(null),
  waitsFor: Text.nullable().default(null),
});

/** Change of a task; what is absent stays. */
export const TaskChange = z.object({
  text: Text.optional(),
  state: TaskState.optional(),
  priority: Priority.optional(),
  dueAt: IsoTime.nullable().optional(),
  waitsFor: Text.nullable().optional(),
});
export type TaskChange = z.infer<typeof TaskChange>;
