import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { Audience, CompanionId, Uuid } from '../values/words.js';
import { TaskState } from './task-state.js';

const Text = z.string().trim().min(1).max(300);
const Priority = z.int().min(1).max(3);

/** Task of a companion's with a person. */
export const TaskView = z.object({
  id: Uuid,
  companionId: CompanionId,
  audience: Audience,
  number: z.int().describe('number by which it is named in talk'),
  text: z.string(),
  state: TaskState,
  priority: z.int().describe('1 is the highest, 3 the lowest'),
  dueAt: IsoTime.nullable(),
  waitsFor: z.string().nullable(),
  notedBy: z.enum(['companion', 'person']),
  sources: z.array(z.string()).describe('the messages it was noted for: it goes when they are forgotten'),
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
