import type { Pad } from '@kith/contracts';
import { NOTICEABLE } from './style-knobs.js';

/** British, for a list without a comma before its "and". */
const LIST = new Intl.ListFormat('en-GB');

/** Compares a mood with the companion's usual one, in words. */
export function comparedToUsual(felt: Pad, baseline: Pad): string {
  const differences = [
    wordFor(felt.p - baseline.p, 'brighter', 'lower'),
    wordFor(felt.a - baseline.a, 'livelier', 'calmer'),
    wordFor(felt.d - baseline.d, 'surer of myself', 'less sure of myself'),
  ].filter((word) => word !== null);
  if (differences.length === 0) return 'as I usually am';
  return `${LIST.format(differences)} than usual`;
}

function wordFor(difference: number, more: string, less: string): string | null {
  if (Math.abs(difference) < NOTICEABLE) return null;
  return difference > 0 ? more : less;
}
