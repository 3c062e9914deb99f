import { hashText } from './hash-text.js';
import { featuresOf } from './lexical-features.js';
import { readWords, type Word } from './lexical-words.js';
import { toUnitLength } from './unit-length.js';

/*
 * An embedder without a model: signed feature hashing (Weinberger et al. 2009) of words and character
 * n-grams. It knows spelling, not meaning, and its space says so (`kind: lexical`). For how its numbers were
 * chosen see lexical-features.ts.
 */

/** LoCoMo hit@10: 256 → 46.2, 512 → 51.2, 768 → 53.6, 2048 → 53.6. 2 kB a vector is the fair price. */
const DIMENSIONS = 512;
/** The last dimensions, kept for the ballast; the rest is for features. */
const BALLAST_DIMENSIONS = 64;
/** Its vectors' space: a name for these numbers, which stored vectors depend on. */
export const LEXICAL_SPACE = {
  id: `lexical-v1-${DIMENSIONS}`,
  dimensions: DIMENSIONS,
  kind: 'lexical',
} as const;
const FEATURE_DIMENSIONS = DIMENSIONS - BALLAST_DIMENSIONS;
/**
 * At unit length a "Wow, great!" would be as near to a question as a whole story, and shared small words
 * would make it win. A document therefore carries a constant part that no query has: its cosine becomes
 * x·q / √(x² + ballast²), a length normalisation with a floor. Hit@10 without it 43.4; 2 → 47.9, 4 → 51.2,
 * 8 → 53.6, but the more ballast, the less two documents' cosine tells.
 */
const BALLAST = 4;
/** Which ballast dimensions a document uses is a MinHash sketch of its words: like documents share them. */
const SKETCHES = 4;
const SKETCH_DIMENSIONS = BALLAST_DIMENSIONS / SKETCHES;

const INDEX_SEED = 0;
const SIGN_SEED = 101;
const SKETCH_SEED = 1_000;

/** The vector of one text, in about 0.2 ms for a message. Deterministic: the same text and purpose give the same vector on every machine. */
export function embedLexically(text: string, purpose: 'query' | 'document'): Float32Array {
  const words = readWords(text);
  const vector = new Float64Array(DIMENSIONS);
  for (const [feature, weight] of featuresOf(text, words)) {
    const sign = hashText(feature, SIGN_SEED) & 1 ? 1 : -1;
    vector[hashText(feature, INDEX_SEED) % FEATURE_DIMENSIONS]! += sign * weight;
  }
  if (purpose === 'document') addBallast(vector, words);
  // Two features may cancel each other out to nothing; any fixed direction is then as good as another.
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
