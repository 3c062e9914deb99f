import { isOpenTask, type TaskView } from '@kith/contracts';

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
