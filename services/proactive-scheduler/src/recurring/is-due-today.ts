import { DateTime } from 'luxon';

/**
 * Tells whether a daily job has not run since its hour, such as `05:40`, last came: also where nothing ran at that hour.
 * One that never ran is due, and one that ran by a clock that was more than a day ahead: it would wait for that day.
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
