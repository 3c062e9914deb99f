import { boundTime, DAY_MS } from '@kith/contracts';
import { type YearlyDay, yearsOn } from '../reasons/years-on.js';

/** Mean length of a year: the same day some years on is a day or so from as many of these. */
const YEAR_MS = 365.25 * DAY_MS;

/** Returns the time of a stored reason as its turn is read now: a yearly day stays in the year it has come to. */
export function placedTime(
  stored: { dueAt: Date; yearly: boolean },
  reading: YearlyDay & { yearly: boolean },
  timeZone: string,
): Date {
  if (!stored.yearly || !reading.yearly) return reading.dueAt;
  const years = Math.round((stored.dueAt.getTime() - reading.dueAt.getTime()) / YEAR_MS);
  return boundTime(yearsOn(reading, years, timeZone));
}
