import { memoryContract, taskRoutes } from '@kith/contracts';
import { serveRoutes } from './serve-routes.js';

/** Serves a person's own tasks. */
export const TasksController = serveRoutes(taskRoutes, ({ messenger }) => ({
  list: ({ caller: { personId }, query: { companion: companionId, limit } }) =>
    messenger.ask(memoryContract.tasks, { personId, companionId, limit }),
  change: ({ caller: { personId }, params: which, body: change }) =>
    messenger.ask(memoryContract.changeTask, { personId, which, change, by: 'person' }),
  remove: ({ caller: { personId }, params: { id } }) =>
    messenger.ask(memoryContract.removeTask, { personId, id }),
}));
