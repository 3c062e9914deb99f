import { DAY_MS } from '@kith/contracts';
import type { Milestone, Bond } from './bond.js';

/** Numbers of exchanges that people count: an acquaintance, a habit, a long friendship. */
const EXCHANGES = [10, 100, 1_000] as const;

/** A year together is a milestone once, and later years are none. */
const YEAR_MS = 365 * DAY_MS;

/** Lists the milestones that this turn was the first to reach. Those from before milestones were kept are not known. */
export function reachedBy(before: Bond, after: Bond, at: number): Milestone[] {
  const exchanges = EXCHANGES.filter((count) => after.interactions === count);
  const isYear =
    at - (after.firstMetAt ?? at) >= YEAR_MS && !before.milestones.some(({ kind }) => kind === 'a-year');
  return [
    ...exchanges.map((count) => ({ kind: `exchanges-${count}` as const, at })),
    ...(isYear ? [{ kind: 'a-year' as const, at }] : []),
  ];
}
