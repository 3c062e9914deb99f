import { hashText } from './hash-text.js';
import { readWords, type Word } from './lexical-words.js';
import { toUnitLength } from './unit-length.js';
import { hashFeatures } from './lexical-features.js';

/*
 * The offline embedder before there was a word table: spelling alone. An install that holds its vectors goes on searching
 * among them until all is embedded anew.
 */

/** Dimensions, fixed: vectors of that time are compared with each other. */
const DIMENSIONS = 512;
/** The last dimensions, kept for the ballast; the rest is for features. */
const BALLAST_DIMENSIONS = 64;
const FEATURE_DIMENSIONS = DIMENSIONS - BALLAST_DIMENSIONS;
/** Length of a part that documents have and queries don't: it kept short documents from being near to everything. */
const BALLAST = 4;
/** Sketches (MinHash) of a document's words: they choose its ballast dimensions, which like documents share. */
const SKETCHES = 4;
const SKETCH_DIMENSIONS = BALLAST_DIMENSIONS / SKETCHES;
/** An arbitrary number, fixed: vectors depend on it. */
const SKETCH_SEED = 1_000;

export const FORMER_LEXICAL_SPACE = {
  id: `lexical-v1-${DIMENSIONS}`,
  dimensions: DIMENSIONS,
  kind: 'lexical',
} as const;

/** Embeds a text in the former space. */
export function embedFormerly(text: string, purpose: 'query' | 'document'): Float32Array {
  const words = readWords(text);
  const vector = new Float64Array(DIMENSIONS);
  vector.set(hashFeatures(text, words, FEATURE_DIMENSIONS));
  if (purpose === 'document') addBallast(vector, words);
  if (vector.every((value) => value === 0)) vector[0] = 1;
  return toUnitLength(vector);
}

function addBallast(vector: Float64Array, words: readonly Word[]): void {
  for (let sketch = 0; sketch < SKETCHES; sketch += 1) {
    const least = words.reduce(
      (min, { stem }) => Math.min(min, hashText(stem, SKETCH_SEED + sketch)),
      0xffff_ffff,
    );
    const place = hashText(String(least), sketch);
    const sign = (place >>> 16) & 1 ? 1 : -1;
    vector[FEATURE_DIMENSIONS + sketch * SKETCH_DIMENSIONS + (place % SKETCH_DIMENSIONS)] =
      (sign * BALLAST) / Math.sqrt(SKETCHES);
  }
}
