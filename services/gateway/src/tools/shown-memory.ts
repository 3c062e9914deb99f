import type { Audience } from '@kith/contracts';

/**
 * Memory that a turn was shown beside those it recalled, without words: by it the turn is found when it is forgotten.
 */
export interface ShownMemory {
  id: string;
  sources: readonly string[];
  audience?: Audience;
}
