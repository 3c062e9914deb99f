import type { NoticedReason } from '../reasons/notice-reasons.js';

type ToldReason = Pick<NoticedReason, 'about' | 'dueAt' | 'yearly'>;

/** Tells whether two readings of a turn give the same reason. A yearly day may have moved to another year. */
export function isSameReason(one: ToldReason, other: ToldReason): boolean {
  const isSameTime = one.dueAt.getTime() === other.dueAt.getTime() || (one.yearly && other.yearly);
  return isSameTime && one.about.toLowerCase() === other.about.toLowerCase();
}
