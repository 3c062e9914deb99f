import { boundTime, present } from '@kith/contracts';
import { DateTime } from 'luxon';
import { isOverdue } from './decide-outreach.js';
import { startOfDay } from './quiet-hours.js';

/**
 * Returns the same day of the next year for which it is not too late, by the person's calendar. A 29 February comes on the
 * 28th in a year without one: it stays in its month, and is not late.
 */
export function nextYearly(
  { dueAt, leapDay }: { dueAt: Date; leapDay: boolean },
  now: Date,
  timeZone: string,
): Date {
  const due = DateTime.fromJSDate(dueAt, { zone: timeZone });
  const years = Math.max(1, startOfDay(now, timeZone).year - due.year);
  const next = [years, years + 1].map((after) => {
    const day = due.plus({ years: after });
    return (leapDay && day.month === 2 ? day.set({ day: day.daysInMonth }) : day).toJSDate();
  });
  return boundTime(present(next.find((at) => !isOverdue({ kind: 'date', dueAt: at }, now, timeZone))));
}
