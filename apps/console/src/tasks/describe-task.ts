import type { TaskView } from '@kith/contracts';

/** Words how a task stands: its state, when it is due, what it waits for, who noted it. */
export function describeTask(
  { state, dueAt, waitsFor, notedBy, audience }: TaskView,
  now: Date,
  locale?: string,
): string {
  return [
    isOver({ state }) || waitsFor === null ? state : `waits for ${waitsFor}`,
    ...(dueAt === null || isOver({ state }) ? [] : [describeDue(new Date(dueAt), now, locale)]),
    notedBy === 'person' ? 'noted by you' : 'noted by the companion',
    audience === 'direct' ? 'between you two' : 'in a channel',
  ].join(' · ');
}

/** Tells whether nothing is left to do. */
export function isOver({ state }: Pick<TaskView, 'state'>): boolean {
  return state === 'done' || state === 'dropped';
}

function describeDue(due: Date, now: Date, locale?: string): string {
  const at = due.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
  return due < now ? `was due ${at}` : `due ${at}`;
}
