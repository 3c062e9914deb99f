import { z } from 'zod';

/**
 * Bounds of the times that Kith keeps: people's lives and plans fit in, and every store and library here can hold them.
 * Past the year 9999 an ISO text gets a sign, and PostgreSQL refuses one before the year 1.
 */
const EARLIEST = Date.parse('1900-01-01T00:00:00.000Z');
const LATEST = Date.parse('2199-12-31T23:59:59.999Z');
const BOUNDS = 'a time from 1900 to 2199 (UTC)';

/** Room for nanoseconds and an offset; more digits of a second mean nothing. */
const MAX_TIME_CHARACTERS = 40;

/** Tells whether a time is valid and within the bounds. */
export function isBoundedTime(time: Date): boolean {
  return time.getTime() >= EARLIEST && time.getTime() <= LATEST;
}

/** Moves a time that was stored before there were bounds into them. An invalid one becomes the earliest. */
export function boundTime(time: Date): Date {
  const at = time.getTime();
  if (Number.isNaN(at) || at < EARLIEST) return new Date(EARLIEST);
  return at > LATEST ? new Date(LATEST) : time;
}

/** A point in time as ISO 8601 text with an offset, bounded once its offset is resolved. */
export const IsoTime = z.iso
  .datetime({ offset: true, abort: true })
  .max(MAX_TIME_CHARACTERS)
  .refine((text) => isBoundedTime(new Date(text)), BOUNDS);

/** A calendar day as ISO 8601 text, within the same bounds. */
export const IsoDay = z.iso
  .date({ abort: true })
  .refine((text) => isBoundedTime(new Date(text)), 'a day from 1900 to 2199');
