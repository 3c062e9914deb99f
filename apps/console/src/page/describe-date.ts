import { counted, DAY_MS, HOUR_MS } from '@kith/contracts';

/** A minute, the smallest step that is told. */
const MINUTE_MS = 60_000;

/**
 * A past time as people say it: "just now", "20 minutes ago", "today at 14:05", "yesterday evening",
 * "last Tuesday", "3 weeks ago, in May", "in May 2024". Days are counted in the reader's own time zone.
 */
export function describeDate(iso: string, now: Date, locale?: string): string {
  const then = new Date(iso);
  const elapsedMs = now.getTime() - then.getTime();
  if (elapsedMs < MINUTE_MS) return 'just now';
  if (elapsedMs < HOUR_MS) return `${counted(Math.floor(elapsedMs / MINUTE_MS), 'minute')} ago`;
  const days = Math.round((startOfDay(now) - startOfDay(then)) / DAY_MS);
  if (days === 0) return `today at ${clock(then, locale)}`;
  if (days === 1) return `yesterday ${partOfDay(then)}`;
  if (days < 7) return `last ${format(then, { weekday: 'long' })}`;
  const month = format(then, { month: 'long' });
  if (days < 14) return 'last week';
  if (days < 60) return `${counted(Math.round(days / 7), 'week')} ago, in ${month}`;
  const isThisYear = then.getFullYear() === now.getFullYear();
  return isThisYear ? `in ${month}` : `in ${month} ${then.getFullYear()}`;
}

/** The exact time, for a hint beside the words. */
export function exactTime(iso: string): string {
  return new Date(iso).toLocaleString(undefined, { dateStyle: 'full', timeStyle: 'short' });
}

/** The day on which it is in the reader's zone, as `2026-05-12`. */
export function dayOf(iso: string): string {
  // Swedish writes a date as ISO 8601 does.
  return new Date(iso).toLocaleDateString('sv-SE');
}

/** The time of day, as the reader's locale writes it. */
export function clock(then: Date, locale?: string): string {
  return then.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' });
}

/** The time of day, with the day where that is not today. */
export function clockOfDay(iso: string, now: Date, locale?: string): string {
  const time = clock(new Date(iso), locale);
  return isSameDay(new Date(iso), now) ? time : `${dayOf(iso)}, ${time}`;
}

/** Tells whether two times fall on one day, in the reader's zone. */
export function isSameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString();
}

function startOfDay(time: Date): number {
  return new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime();
}

function partOfDay(time: Date): string {
  const hour = time.getHours();
  if (hour < 5) return 'night';
  if (hour < 12) return 'morning';
  return hour < 18 ? 'afternoon' : 'evening';
}

// The sentences around them are English, so the names in them are too.
function format(time: Date, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en', options).format(time);
}
