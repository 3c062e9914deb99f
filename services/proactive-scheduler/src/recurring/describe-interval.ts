import { HOUR_MS } from '@kith/contracts';

const UNITS = [
  ['h', HOUR_MS],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Words an interval in the largest unit that it is a whole number of: `every 6 h`. */
export function describeInterval(everyMs: number): string {
  const [unit, ms] = UNITS.find(([, size]) => everyMs % size === 0) ?? ['s', 1_000];
  return `every ${everyMs / ms} ${unit}`;
}
