import { DateTime } from 'luxon';

/**
 * Tells whether a daily job has not run since its hour, such as `05:40`, last came: also where nothing ran at that hour.
 * One that never ran is due.
 */
export function isDueToday(
  at: string,
  lastRun: Date | null,
  { timeZone, now }: { timeZone: string; now: Date },
): boolean {
  const local = DateTime.fromJSDate(now, { zone: timeZone });
  const today = DateTime.fromISO(`${local.toFormat('yyyy-MM-dd')}T${at}`, { zone: timeZone });
  const latest = today <= local ? today : today.minus({ days: 1 });
  return lastRun === null || lastRun < latest.toJSDate();
}
