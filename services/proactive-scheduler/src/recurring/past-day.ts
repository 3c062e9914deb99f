import { DateTime } from 'luxon';

/** The day that is over at `now` in this zone, as `YYYY-MM-DD`. */
export function pastDay(now: Date, timeZone: string): string {
  return DateTime.fromJSDate(now, { zone: timeZone }).minus({ days: 1 }).toFormat('yyyy-MM-dd');
}
