import { DateTime } from 'luxon';
import type { NoticedReason } from '../reasons/notice-reasons.js';
import { isSameReason } from './decide-unsaid.js';
import { isSameKind } from './plan-noticed.js';

/** A reason of a turn, as it is stored. */
export type StoredReading = Pick<NoticedReason, 'kind' | 'about' | 'dueAt' | 'yearly'> & {
  status: string;
  /** True where it may have moved with a change of the zone since its words were read. */
  moved: boolean;
};

/** Minutes of a day and of half a day: "at 9" is the one or the other nine, by the hour at which it was said. */
const DAY = 24 * 60;
const HALF_DAY = DAY / 2;

/**
 * Pairs what a turn's words give, read again, with the reasons that are stored of it. In another time zone the same words
 * may give another day, or another half of it, so those that find no reason of their own time are paired by their
 * words: first with one at the same hour, then with an open one. A dropped one that never moved has the time that its words
 * gave: words of another day ask for something new.
 */
export function pairReadings<Stored extends StoredReading, Reading extends NoticedReason>(
  stored: readonly Stored[],
  readings: readonly Reading[],
  timeZone: string,
): Map<Reading, Stored> {
  const minuteOf = ({ dueAt }: Pick<NoticedReason, 'dueAt'>) => {
    const { hour, minute } = DateTime.fromJSDate(dueAt, { zone: timeZone });
    return hour * 60 + minute;
  };
  const hasSameHour = (part: number) => (one: Stored, reading: Reading) =>
    (one.status !== 'dropped' || one.moved) &&
    hasSameWords(one, reading) &&
    minuteOf(one) % part === minuteOf(reading) % part;
  const isOpen = (one: Stored, reading: Reading) => one.status === 'open' && hasSameWords(one, reading);
  const left = new Set(stored.toSorted(openFirst));
  const pairs = new Map<Reading, Stored>();
  for (const isIt of [isSameReason, hasSameHour(DAY), hasSameHour(HALF_DAY), isOpen]) {
    for (const reading of readings.toSorted(earliestFirst)) {
      const its = pairs.has(reading) ? undefined : [...left].find((one) => isIt(one, reading));
      if (its === undefined) continue;
      pairs.set(reading, its);
      left.delete(its);
    }
  }
  return pairs;
}

function hasSameWords(one: StoredReading, reading: NoticedReason): boolean {
  return one.about.toLowerCase() === reading.about.toLowerCase() && isSameKind(one.kind, reading.kind);
}

/** A yearly day that was written for is stored beside the next one. */
function openFirst(one: StoredReading, other: StoredReading): number {
  return Number(other.status === 'open') - Number(one.status === 'open') || earliestFirst(one, other);
}

function earliestFirst(one: { dueAt: Date }, other: { dueAt: Date }): number {
  return one.dueAt.getTime() - other.dueAt.getTime();
}
