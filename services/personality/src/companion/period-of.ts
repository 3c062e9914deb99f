import { AppError, boundTime } from '@kith/contracts';
import { DateTime } from 'luxon';

/** A stretch of time that is replayed. */
export interface Period {
  from: Date;
  to: Date;
}

/**
 * Reads a period between two times or days; a day stands for its first moment in this zone.
 * @throws AppError `invalid_request` for a period that ends before it begins
 */
export function periodOf(from: string, to: string, timeZone: string): Period {
  const read = (text: string) => boundTime(DateTime.fromISO(text, { zone: timeZone }).toJSDate());
  const period = { from: read(from), to: read(to) };
  if (period.to > period.from) return period;
  throw new AppError('invalid_request', 'the period ends before it begins', { field: 'to' });
}
