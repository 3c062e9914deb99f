import { DateTime } from 'luxon';
import { HOUR_MS, type OutreachSettings } from '@kith/contracts';

/** A person's quiet hours on their own clock. Equal times mean none. */
export type QuietHours = Pick<OutreachSettings, 'timeZone' | 'quietFrom' | 'quietUntil'>;

/**
 * Returns the end of the quiet hours at `now`; null outside of them. They may span midnight, and follow the wall clock:
 * a night with a change of the clock is an hour longer or shorter.
 */
export function quietUntil(now: Date, { timeZone, quietFrom, quietUntil: until }: QuietHours): Date | null {
  const local = DateTime.fromJSDate(now, { zone: timeZone });
  const clock = local.toFormat('HH:mm');
  const isQuiet =
    quietFrom <= until ? clock >= quietFrom && clock < until : clock >= quietFrom || clock < until;
  if (!isQuiet) return null;
  const [hour = 0, minute = 0] = until.split(':').map(Number);
  const end = local.set({ hour, minute, second: 0, millisecond: 0 });
  // When the clock goes back, the same time comes twice: choose the one that is still ahead.
  const ends = [...end.getPossibleOffsets(), end.plus({ days: 1 })];
  return (ends.find((candidate) => candidate > local) ?? end.plus({ days: 1 })).toJSDate();
}

/** Returns the time at which the person's day began, on their own clock. */
export function startOfDay(now: Date, timeZone: string): DateTime {
  return DateTime.fromJSDate(now, { zone: timeZone }).startOf('day');
}

// Wide enough that no two days look alike, narrow enough that "at ten" is still the morning.
const JITTER_MINUTES = 45;
// A reason from an earlier day waits until most people's day has begun.
const CARRIED_OVER_HOUR = 9;
// A named hour counts as kept this long after it, also past midnight: a person who asked for 23:55 is awake.
const STILL_ON_TIME_MS = HOUR_MS;

/**
 * Returns the earliest time to act on a reason. A named hour is kept. A reason with only a day, or one delayed by quiet
 * hours or a cap, is delayed by some minutes that vary with the person and the day, so that messages do not arrive at
 * exactly eight.
 */
export function earliestTime(
  { dueAt, exact }: { dueAt: Date; exact: boolean },
  { personId, settings, now }: { personId: string; settings: QuietHours; now: Date },
): Date {
  const quietEnd = quietUntil(dueAt, settings);
  if (exact && !quietEnd && now.getTime() - dueAt.getTime() < STILL_ON_TIME_MS) return dueAt;
  const today = startOfDay(now, settings.timeZone);
  const jitterMs = jitterMinutes(personId, today.toFormat('yyyy-MM-dd')) * 60_000;
  if (dueAt < today.toJSDate()) {
    const morning = today.set({ hour: CARRIED_OVER_HOUR }).toJSDate();
    return later(quietUntil(morning, settings) ?? morning, jitterMs, settings);
  }
  if (quietEnd) return later(quietEnd, jitterMs, settings);
  return exact ? dueAt : later(dueAt, jitterMs, settings);
}

/** Moves a time later, unless that would be in quiet hours or on another day. */
function later(time: Date, byMs: number, settings: QuietHours): Date {
  const moved = new Date(time.getTime() + byMs);
  const dayOf = (at: Date) => DateTime.fromJSDate(at, { zone: settings.timeZone }).toFormat('yyyy-MM-dd');
  return quietUntil(moved, settings) || dayOf(moved) !== dayOf(time) ? time : moved;
}

/** Draws pseudo-random minutes that are the same for a person and a day (FNV-1a). */
function jitterMinutes(personId: string, day: string): number {
  let hash = 0x811c9dc5;
  for (const character of `${personId} ${day}`) {
    hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0;
  }
  // The low bits of FNV alone are not evenly spread: mix in the high ones.
  return ((hash ^ (hash >>> 15)) >>> 0) % JITTER_MINUTES;
}
