import { boundTime, present } from '@kith/contracts';
import { DateTime } from 'luxon';
import { isOverdue } from './decide-outreach.js';
import { startOfDay } from './quiet-hours.js';

/**
 * Returns the same day of the next year that is not overdue, by the person's calendar. In a year without a 29 February
 * it is the 28th: the same month, and not late.
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
