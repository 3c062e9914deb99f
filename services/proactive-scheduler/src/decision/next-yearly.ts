import { boundTime, present } from '@kith/contracts';
import { type YearlyDay, yearsOn } from '../reasons/years-on.js';
import { isOverdue } from './decide-outreach.js';
import { startOfDay } from './quiet-hours.js';

/** Returns the same day of the next year that is not overdue, by the person's calendar. */
export function nextYearly(day: YearlyDay, now: Date, timeZone: string): Date {
  const years = Math.max(1, startOfDay(now, timeZone).year - startOfDay(day.dueAt, timeZone).year);
  const next = [years, years + 1].map((after) => yearsOn(day, after, timeZone));
  return boundTime(present(next.find((at) => !isOverdue({ kind: 'date', dueAt: at }, now, timeZone))));
}
