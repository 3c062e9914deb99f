import type { CueKind } from './rules-lexicon.js';

/** A sign of a feeling in a clause, and its strength. */
export interface Hit {
  kind: CueKind;
  strength: number;
}
