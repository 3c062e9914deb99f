import { DateTime } from 'luxon';

/** A person's quiet hours: `HH:MM` each, on their own clock. Equal times mean none. */
export interface QuietHours {
  timeZone: string;
  quietFrom: string;
  quietUntil: string;
}

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
