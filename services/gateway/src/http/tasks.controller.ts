import { memoryContract, taskRoutes } from '@kith/contracts';
import { requireKnown } from './require-known.js';
import { serveRoutes } from './serve-routes.js';

/** Serves a person's own tasks. */
export const TasksController = serveRoutes(taskRoutes, ({ database, messenger, companions }) => ({
  list: async ({ caller: { personId }, query: { companion: companionId, limit } }) => {
    const found = await messenger.ask(memoryContract.tasks, { personId, companionId, limit });
    if (found.tasks.length === 0 && companionId)
      await requireKnown({ database, companions }, personId, companionId);
    return found;
  },
  change: ({ caller: { personId }, params: which, body: change }) =>
    messenger.ask(memoryContract.changeTask, { personId, which, change, by: 'person' }),
  remove: ({ caller: { personId }, params: { id } }) =>
    messenger.ask(memoryContract.removeTask, { personId, id }),
}));
