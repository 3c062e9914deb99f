import { taskRoutes, type RouteClient, type TaskChange } from '@kith/contracts';
import { useCallback } from 'react';
import { useView } from '../api/use-view.js';

/** The API lists no more. */
export const MAX_TASKS = 200;

/** Reads what a companion means to do with the person, again with each change of the talk, and changes it. */
export function useTasks(api: RouteClient, companion: string, talkChanges: number) {
  const read = useCallback(
    async () => (await api.call(taskRoutes.list, { query: { companion, limit: MAX_TASKS } })).tasks,
    [api, companion],
  );
  // The page is made anew where words may be forgotten.
  const { view: tasks, problem, act, retry } = useView(read, talkChanges, 0);
  return {
    tasks,
    problem,
    retry,
    change: (id: string, change: TaskChange) =>
      act(id, () => api.call(taskRoutes.change, { params: { id }, body: change })),
    remove: (id: string) => act(id, () => api.call(taskRoutes.remove, { params: { id } })),
  };
}
