import { boundTime } from '@kith/contracts';
import { DateTime } from 'luxon';

/** A time zone, the one that is named in its place, and when. */
export interface ChangeOfZone {
  from: string;
  to: string;
  now: Date;
}

/**
 * Returns the moment at which clocks of another zone show the same day and hour. An hour that was to come, and is over
 * there by that day, is meant a day later: the day was read off a clock that was not theirs.
 */
export function sameLocalTime(
  { dueAt, exact }: { dueAt: Date; exact: boolean },
  { from, to, now }: ChangeOfZone,
): Date {
  const at = DateTime.fromJSDate(dueAt, { zone: from }).setZone(to, { keepLocalTime: true });
  const isOver = exact && dueAt > now && at.toJSDate() <= now;
  return boundTime((isOver ? at.plus({ days: 1 }) : at).toJSDate());
}
