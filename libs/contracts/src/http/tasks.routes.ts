import { z } from 'zod';
import { TaskChange, TaskView } from '../views/task-view.js';
import { CompanionId, Uuid } from '../values/words.js';
import { PageLimit } from './page.js';
import { del, get, patch, type Routes } from './route.js';

const OneTask = z.strictObject({ id: Uuid });

export const TaskList = z.object({ tasks: z.array(TaskView) });

export const taskRoutes = {
  list: get('/v1/tasks', 'memories', {
    summary: 'What companions mean to do with you: what is not over first',
    query: z.strictObject({
      companion: CompanionId.optional().describe('only this companion’s'),
      limit: PageLimit,
    }),
    answer: TaskList,
  }),
  change: patch('/v1/tasks/{id}', 'memories', {
    summary: 'Change a task of yours: its words, state, priority, time, or what it waits for',
    params: OneTask,
    body: z.strictObject(TaskChange.shape),
    answer: TaskView,
  }),
  remove: del('/v1/tasks/{id}', 'memories', {
    summary: 'Remove a task of yours for good',
    params: OneTask,
    answer: z.object({ removed: z.int() }),
  }),
} satisfies Routes;
