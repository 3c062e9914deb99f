import { DateTime } from 'luxon';

// After a longer absence the days before are told by what was kept of them: nobody reads a month of old nights.
const MOST_NIGHTS = 14;

/**
 * The days that a nightly job still has to do at `now`, the oldest first, as `YYYY-MM-DD`: from after the last one it
 * is done with up to yesterday in this zone, the last fourteen at most. A job that never ran begins with yesterday.
 */
export function nightsDue(lastDay: string | null, now: Date, timeZone: string): string[] {
  const yesterday = DateTime.fromJSDate(now, { zone: timeZone }).startOf('day').minus({ days: 1 });
  const since =
    lastDay === null ? yesterday : DateTime.fromISO(lastDay, { zone: timeZone }).plus({ days: 1 });
  const earliest = yesterday.minus({ days: MOST_NIGHTS - 1 });
  const days: string[] = [];
  for (let day = since > earliest ? since : earliest; day <= yesterday; day = day.plus({ days: 1 })) {
    days.push(day.toFormat('yyyy-MM-dd'));
  }
  return days;
}
