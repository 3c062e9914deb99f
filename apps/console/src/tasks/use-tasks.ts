import { taskRoutes, type RouteClient, type TaskChange, type TaskView } from '@kith/contracts';
import { useCallback } from 'react';
import { useView } from '../api/use-view.js';

/** The API lists no more. */
export const MAX_TASKS = 200;

export interface Tasks {
  /** Null until they were read once. */
  tasks: readonly TaskView[] | null;
  problem: string | null;
  /** Undefined where a retry would fail again. */
  retry: (() => void) | undefined;
  change: (id: string, change: TaskChange) => Promise<void>;
  remove: (id: string) => Promise<void>;
}

/** Reads what a companion means to do with the person, again with each change of the talk, and changes it. */
export function useTasks(api: RouteClient, companion: string, talkChanges: number): Tasks {
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
    change: (id, change) => act(id, () => api.call(taskRoutes.change, { params: { id }, body: change })),
    remove: (id) => act(id, () => api.call(taskRoutes.remove, { params: { id } })),
  };
}
