import type { CompanionPageProps } from '../page/companion-page.js';
import { Problem } from '../page/problem.js';
import { TaskList } from './task-list.js';
import { useTasks } from './use-tasks.js';

/** Shows what a companion means to do with the person. */
export function TasksPage({ api, companionId, name, talkChanges, now }: CompanionPageProps) {
  const { tasks, problem, retry, change, remove } = useTasks(api, companionId, talkChanges);
  return (
    <main className="page" aria-label="Tasks">
      <h2>What {name} means to do with you</h2>
      <Problem words={problem} isLooking={tasks === null} onRetry={retry} />
      {tasks && <TaskList {...{ tasks, name, now, change, remove }} />}
    </main>
  );
}
