import { boundTime } from '@kith/contracts';
import { DateTime } from 'luxon';

export interface ChangeOfZone {
  from: string;
  to: string;
  now: Date;
}

/**
 * Returns the moment at which clocks of another zone show the same day and hour. A future hour that would be past there
 * moves a day on, because the day was computed in the wrong zone.
 */
export function sameLocalTime(
  { dueAt, exact }: { dueAt: Date; exact: boolean },
  { from, to, now }: ChangeOfZone,
): Date {
  const at = DateTime.fromJSDate(dueAt, { zone: from }).setZone(to, { keepLocalTime: true });
  const isOver = exact && dueAt > now && at.toJSDate() <= now;
  return boundTime((isOver ? at.plus({ days: 1 }) : at).toJSDate());
}
