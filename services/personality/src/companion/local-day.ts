import { DateTime } from 'luxon';

/** Returns the day of a companion's that a time counts to, or one so many days before, by the clock of its zone. */
export function localDay(at: Date, timeZone: string, daysBefore = 0): string {
  return DateTime.fromJSDate(at, { zone: timeZone }).minus({ days: daysBefore }).toFormat('yyyy-MM-dd');
}
