import type { CompanionPageProps } from '../page/companion-page.js';
import { Problem } from '../page/problem.js';
import { MAX_TASKS, useTasks } from './use-tasks.js';
import { isOpenTask, type TaskView } from '@kith/contracts';
import type { JSX } from 'react';
import { LinkButton } from '../page/button.js';

/** Shows what a companion means to do with the person. */
export function TasksPage({ api, companionId, name, talkChanges, now }: CompanionPageProps) {
  const { tasks, problem, retry, change, remove } = useTasks(api, companionId, talkChanges);
  return (
    <main className="page" aria-label="Tasks">
      <h2>What {name} means to do with you</h2>
      <Problem words={problem} isLooking={tasks === null} onRetry={retry} />
      {tasks && <TaskList tasks={tasks} name={name} now={now} change={change} remove={remove} />}
    </main>
  );
}

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

/** Words for a task: its state, when it is due, what it waits for, who noted it. */
export function describeTask(
  { state, dueAt, waitsFor, notedBy, audience }: TaskView,
  now: Date,
  locale?: string,
): string {
  const isOpen = isOpenTask({ state });
  return [
    !isOpen || waitsFor === null ? state : `waits for ${waitsFor}`,
    ...(dueAt === null || !isOpen ? [] : [describeDue(new Date(dueAt), now, locale)]),
    notedBy === 'person' ? 'noted by you' : 'noted by the companion',
    audience === 'direct' ? 'between you two' : 'in a channel',
  ].join(' · ');
}

function describeDue(due: Date, now: Date, locale?: string): string {
  const at = due.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
  return due < now ? `was due ${at}` : `due ${at}`;
}
