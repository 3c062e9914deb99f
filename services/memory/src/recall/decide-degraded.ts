import type { Degraded } from '@kith/contracts';
import type { z } from 'zod';
import type { Candidates } from '../index/vector-index.js';

/** A search, as far as it decides about what is missing in its result. */
export interface SearchOutcome {
  isEmbedded: boolean;
  /** Null where the index was out of reach. */
  found: Candidates | null;
  /** True where the index lost the person's points. */
  isLost: boolean;
  /** False while a reindex has rows left to write. */
  isWhole: boolean;
}

/** Decides which arms of a search are named as missing or incomplete. Pure. */
export function decideDegraded({
  isEmbedded,
  found,
  isLost,
  isWhole,
}: SearchOutcome): z.infer<typeof Degraded> {
  if (!found || isLost) return ['dense', 'lexical'];
  // Words alone find the rows of a person without points, so that an unfinished reindex hides nothing.
  if (isEmpty(found)) return isEmbedded ? [] : ['dense'];
  if (found.isPart) return ['dense', 'lexical'];
  return isEmbedded && isWhole ? [] : ['dense'];
}

/** Tells whether a search of the index found nothing. */
export function isEmpty({ dense, lexical }: Candidates): boolean {
  return dense.length === 0 && lexical.length === 0;
}
