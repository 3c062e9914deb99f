import type { RouteClient } from '@kith/contracts';
import type { JSX } from 'react';
import { Problem } from '../page/problem.js';
import { TaskList } from './task-list.js';
import { useTasks } from './use-tasks.js';

interface TasksPageProps {
  api: RouteClient;
  companionId: string;
  name: string;
  /** Number of times that something of the talk was forgotten or edited, or private talk switched, at any door. */
  talkChanges: number;
  now: Date;
}

/** Shows what a companion means to do with the person. */
export function TasksPage({ api, companionId, name, talkChanges, now }: TasksPageProps): JSX.Element {
  const { tasks, problem, retry, change, remove } = useTasks(api, companionId, talkChanges);
  return (
    <main className="page" aria-label="Tasks">
      <h2>What {name} means to do with you</h2>
      <Problem words={problem} onRetry={retry} />
      {tasks === null ? (
        problem === null && <p role="status">Looking …</p>
      ) : (
        <TaskList tasks={tasks} name={name} now={now} change={change} remove={remove} />
      )}
    </main>
  );
}
