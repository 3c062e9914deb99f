import { DateTime } from 'luxon';

/** A day of a companion's, and the time that counts to it. */
export interface CalendarDay {
  /** As `YYYY-MM-DD`. */
  day: string;
  from: Date;
  to: Date;
}

/** A companion's time zone, and the time now. */
interface TimeThere {
  /** IANA name. */
  timeZone: string;
  now: Date;
}

// After a longer absence the earlier days have no night any more: nobody reads a month of old ones.
export const MAX_NIGHTS = 14;

/**
 * Lists days that are over and not in the calendar yet, the oldest first, the last fourteen at most. A calendar that is
 * empty begins with yesterday. Each day begins where the one before it ended, and ends with its last moment here: after
 * a change of zone a day is longer or shorter, or even empty, but each moment counts to exactly one.
 */
export function daysToEnter(last: CalendarDay | null, { timeZone, now }: TimeThere): CalendarDay[] {
  const yesterday = dayBefore(now, timeZone);
  const earliest = plusDays(yesterday, 1 - MAX_NIGHTS);
  const next = last ? plusDays(last.day, 1) : yesterday;
  const days: CalendarDay[] = [];
  for (let day = next > earliest ? next : earliest; day <= yesterday; day = plusDays(day, 1)) {
    const before = days.at(-1) ?? (next === day ? last : null);
    const from = before?.to ?? later(startOf(day, timeZone), last?.to);
    days.push({ day, from, to: later(startOf(plusDays(day, 1), timeZone), from) });
  }
  return days;
}

/** A companion's calendar, as a nightly job knows it. */
interface Nights extends TimeThere {
  /** The latest days of its calendar, the oldest first. */
  days: readonly CalendarDay[];
  /** The last day that the job is done with; null: it never ran. */
  lastDone: string | null;
  /** The hour of the night over a day, on the clock of the day after, as `03:30`; null: as soon as the day is over. */
  nightAt: string | null;
}

/**
 * The days whose night has come and is not done yet, the oldest first. A job that never ran begins with the second day
 * of a calendar: on the first the companion was new. A job that does not wait for the night takes that day, too.
 */
export function nightsDue({ days, lastDone, nightAt, timeZone, now }: Nights): CalendarDay[] {
  const latest = nightAt === null ? dayBefore(now, timeZone) : latestNight(nightAt, { timeZone, now });
  const open = days.filter(({ day }, n) => (lastDone === null ? nightAt === null || n > 0 : day > lastDone));
  return open.filter(({ day }) => day <= latest);
}

/** The latest day whose night has come. An hour that the clock skips has come when the clock is past it. */
function latestNight(nightAt: string, { timeZone, now }: TimeThere): string {
  const yesterday = dayBefore(now, timeZone);
  const tonight = DateTime.fromISO(`${plusDays(yesterday, 1)}T${nightAt}`, { zone: timeZone });
  return tonight.toJSDate() <= now ? yesterday : plusDays(yesterday, -1);
}

function dayBefore(now: Date, timeZone: string): string {
  return plusDays(DateTime.fromJSDate(now, { zone: timeZone }).toFormat('yyyy-MM-dd'), -1);
}

/** The first moment of a day; where the clock skips midnight, the first one after. */
function startOf(day: string, timeZone: string): Date {
  return DateTime.fromISO(day, { zone: timeZone }).startOf('day').toJSDate();
}

function plusDays(day: string, days: number): string {
  return DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toFormat('yyyy-MM-dd');
}

function later(one: Date, other: Date | undefined): Date {
  return other && other > one ? other : one;
}
