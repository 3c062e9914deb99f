import { DAY_MS } from '@kith/contracts';
import { DateTime } from 'luxon';
import type { NoticedReason } from '../reasons/notice-reasons.js';

type ToldReason = Pick<NoticedReason, 'about' | 'dueAt' | 'yearly' | 'byClock'>;

/** Longest time between two readings of a day, in zones whose clocks are a day apart, once one of them was moved on. */
const MAX_APART_MS = 2 * DAY_MS;

/**
 * Tells whether two readings of a turn give the same reason. A yearly day may have moved to another year. A time by the
 * clock may have been read in the zone of before: by the clock it is the same, for "at five" in either half of the day.
 */
export function isSameReason(one: ToldReason, other: ToldReason, timeZone: string): boolean {
  const apartMs = Math.abs(one.dueAt.getTime() - other.dueAt.getTime());
  const clockOf = ({ dueAt }: ToldReason) => DateTime.fromJSDate(dueAt, { zone: timeZone }).toFormat('hh:mm');
  const isMoved = one.byClock && other.byClock && apartMs <= MAX_APART_MS && clockOf(one) === clockOf(other);
  const isSameTime = apartMs === 0 || (one.yearly && other.yearly) || isMoved;
  return isSameTime && one.about.toLowerCase() === other.about.toLowerCase();
}
