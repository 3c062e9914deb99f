import { taskRoutes, type RouteClient, type TaskChange, type TaskView } from '@kith/contracts';
import { useCallback, useEffect, useState } from 'react';

export interface Tasks {
  /** Null until they were read once. */
  tasks: readonly TaskView[] | null;
  problem: string | null;
  change: (id: string, change: TaskChange) => Promise<void>;
  remove: (id: string) => Promise<void>;
}

/** Reads what a companion means to do with the person, and changes it. */
export function useTasks(api: RouteClient, companion: string): Tasks {
  const [tasks, setTasks] = useState<readonly TaskView[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const act = useCallback(
    async (work: () => Promise<unknown>) => {
      try {
        await work();
        setTasks((await api.call(taskRoutes.list, { query: { companion } })).tasks);
        setProblem(null);
      } catch (error) {
        setProblem(error instanceof Error ? error.message : 'That did not work.');
      }
    },
    [api, companion],
  );
  useEffect(() => {
    void act(() => Promise.resolve());
  }, [act]);
  return {
    tasks,
    problem,
    change: (id, change) => act(() => api.call(taskRoutes.change, { params: { id }, body: change })),
    remove: (id) => act(() => api.call(taskRoutes.remove, { params: { id } })),
  };
}
