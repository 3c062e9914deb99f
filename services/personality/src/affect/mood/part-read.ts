import { firstOf, HOUR_MS } from '@kith/contracts';
import { hourOf } from './seen-by.js';

/** The most rows that are read of a period, the latest first. */
export const MAX_ROWS_READ = 2_000;

/** The part of a period that was read. */
interface PartRead {
  /** Its begin, in milliseconds since the epoch. */
  from: number;
  /** Time such that the rows before it show how the part began. */
  before: number;
}

/**
 * Finds the part of a period of which every row was read. With more rows than are read it begins when everybody can see
 * the earliest of them, which shows how the part began: at a full hour, as the minute may be another person's.
 * @param times those of the rows that were read, the earliest first
 */
export function partRead(from: number, times: readonly number[]): PartRead {
  if (times.length < MAX_ROWS_READ) return { from, before: hourOf(from) };
  const earliest = firstOf(times);
  // It is seen at the end of its hour, and a course begins with what was seen before.
  return { from: Math.max(from, hourOf(earliest) + 2 * HOUR_MS), before: earliest };
}
