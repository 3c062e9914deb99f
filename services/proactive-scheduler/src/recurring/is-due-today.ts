import { DateTime } from 'luxon';

/**
 * Tells whether a daily job has not run since its hour, such as `05:40`, last came: also where nothing ran at that hour.
 * A job that never ran is due, and so is one whose last run is over a day in the future: it would wait till then.
 */
export function isDueToday(
  at: string,
  lastRun: Date | null,
  { timeZone, now }: { timeZone: string; now: Date },
): boolean {
  const local = DateTime.fromJSDate(now, { zone: timeZone });
  const today = DateTime.fromISO(`${local.toFormat('yyyy-MM-dd')}T${at}`, { zone: timeZone });
  const latest = today <= local ? today : today.minus({ days: 1 });
  const isAhead = lastRun !== null && lastRun > local.plus({ days: 1 }).toJSDate();
  return lastRun === null || isAhead || lastRun < latest.toJSDate();
}
