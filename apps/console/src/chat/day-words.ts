import { isSameDay } from '../page/describe-date.js';

/** The heading above a day's messages: "Today", "Yesterday", "Tuesday, 12 May", with the year when it differs. */
export function dayWords(iso: string, now: Date): string {
  const then = new Date(iso);
  if (isSameDay(then, now)) return 'Today';
  if (isSameDay(then, new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1))) return 'Yesterday';
  return new Intl.DateTimeFormat('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(then.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }),
  }).format(then);
}
