import { z } from 'zod';
import { DAY_MS } from './durations.js';
import { isBoundedTime } from './time-bounds.js';

const BOUNDS = 'a time from 1900 to 2199 (UTC)';

/** Room for nanoseconds and an offset; more digits of a second mean nothing. */
const MAX_TIME_CHARACTERS = 40;

/** A point in time as ISO 8601 text with an offset, bounded once its offset is resolved. */
export const IsoTime = z.iso
  .datetime({ offset: true, abort: true })
  .max(MAX_TIME_CHARACTERS)
  .refine((text) => isBoundedTime(new Date(text)), BOUNDS);

/** A time at which something was said: not in the future, with a day's leeway for wrong clocks. */
export const PastTime = IsoTime.refine(
  (text) => Date.parse(text) <= Date.now() + DAY_MS,
  'a time that has come already',
);

/** A calendar day as ISO 8601 text, within the same bounds. */
export const IsoDay = z.iso
  .date({ abort: true })
  .refine((text) => isBoundedTime(new Date(text)), 'a day from 1900 to 2199');
