import { isOpenTask, type TaskView } from '@kith/contracts';
import type { JSX } from 'react';
import { LinkButton } from '../page/button.js';
import { describeTask } from './describe-task.js';
import { MAX_TASKS, type useTasks } from './use-tasks.js';

interface TaskListProps extends Pick<ReturnType<typeof useTasks>, 'change' | 'remove'> {
  tasks: readonly TaskView[];
  /** The companion's name. */
  name: string;
  now: Date;
}

/** Lists tasks, what is not over first, with what may be done about each. */
export function TaskList({ tasks, name, now, change, remove }: TaskListProps) {
  const open = tasks.filter(isOpenTask);
  const over = tasks.filter((task) => !isOpenTask(task));
  return (
    <>
      {open.length === 0 ? (
        <p className="hint">No tasks yet. When you and {name} agree on something to do, it is listed here.</p>
      ) : (
        <ul className="entries">
          {open.map((task) => (
            <TaskEntry key={task.id} task={task} now={now}>
              <LinkButton onClick={() => void change(task.id, { state: 'done' })}>Done</LinkButton>
              <LinkButton onClick={() => void change(task.id, { state: 'dropped' })}>Drop it</LinkButton>
            </TaskEntry>
          ))}
        </ul>
      )}
      {over.length > 0 && (
        <section aria-label="Over">
          <h3>Over</h3>
          <ul className="entries">
            {over.map((task) => (
              <TaskEntry key={task.id} task={task} now={now}>
                <LinkButton onClick={() => void change(task.id, { state: 'open' })}>Open again</LinkButton>
                <LinkButton onClick={() => void remove(task.id)}>Remove</LinkButton>
              </TaskEntry>
            ))}
          </ul>
        </section>
      )}
      {tasks.length === MAX_TASKS && <p className="hint">These are the first {MAX_TASKS} tasks.</p>}
    </>
  );
}

function TaskEntry({ task, now, children }: { task: TaskView; now: Date; children: JSX.Element[] }) {
  return (
    <li data-state={task.state}>
      <p>{task.text}</p>
      <p className="memory-origin">
        {describeTask(task, now)}
        {children}
      </p>
    </li>
  );
}
