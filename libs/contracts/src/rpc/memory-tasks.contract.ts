import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { defineRequest } from './define.js';
import { NOTED_FROM } from '../values/noted-from.js';
import { NewTask, TaskChange, TaskView } from '../views/task-view.js';
import { Audience, CallKey, CompanionId, PersonId, Uuid } from '../values/words.js';

/** Task that comes due, alone with a companion. */
const DueTask = z.object({
  id: Uuid,
  personId: PersonId,
  companionId: CompanionId,
  dueAt: IsoTime,
  /** When it was noted, or last changed. */
  notedAt: IsoTime,
});

/** Tasks that companions and people note for each other. */
export const memoryTasks = {
  /** A person's tasks with companions, those that are not over first. */
  tasks: defineRequest('memory.tasks', {
    request: z.object({
      personId: PersonId,
      companionId: CompanionId.optional(),
      limit: z.int().min(1).max(200).default(50),
    }),
    response: z.object({ tasks: z.array(TaskView) }),
  }),
  addTask: defineRequest('memory.add-task', {
    request: z.object({
      personId: PersonId,
      companionId: CompanionId,
      audience: Audience,
      task: NewTask,
      by: z.enum(['companion', 'person']),
      ...NOTED_FROM,
      key: CallKey.optional(),
    }),
    response: TaskView,
  }),
  changeTask: defineRequest('memory.change-task', {
    request: z.object({
      personId: PersonId,
      /** Its id, or its number in talk with a companion. */
      which: z.union([
        z.object({ id: Uuid }),
        z.object({ companionId: CompanionId, audience: Audience, number: z.int().positive() }),
      ]),
      change: TaskChange,
      by: z.enum(['companion', 'person']),
      ...NOTED_FROM,
      key: CallKey.optional(),
    }),
    response: TaskView,
  }),
  removeTask: defineRequest('memory.remove-task', {
    request: z.object({ personId: PersonId, id: Uuid }),
    response: z.object({ removed: z.int() }),
  }),
  /** Tasks of everybody, alone with a companion, that come due in this time, the soonest first. */
  dueTasks: defineRequest('memory.due-tasks', {
    request: z.object({
      from: IsoTime,
      to: IsoTime,
      /** Last task of the page before, which is due at `from`. */
      after: Uuid.optional(),
      limit: z.int().min(1).max(500).default(100),
    }),
    response: z.object({ tasks: z.array(DueTask) }),
    timeoutMs: 5_000,
  }),
};
