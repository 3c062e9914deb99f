import { hashText } from './hash-text.js';
import { featuresOf } from './lexical-features.js';
import type { Word } from './lexical-words.js';

/** Two different numbers, arbitrary and fixed: vectors depend on them. */
const INDEX_SEED = 0;
const SIGN_SEED = 101;

/** Embeds a text's spelling: signed feature hashing (Weinberger et al. 2009) of its words and n-grams. */
export function hashFeatures(text: string, words: readonly Word[], dimensions: number): Float64Array {
  const vector = new Float64Array(dimensions);
  featuresOf(text, words).forEach((weight, feature) => {
    const sign = hashText(feature, SIGN_SEED) & 1 ? 1 : -1;
    const at = hashText(feature, INDEX_SEED) % dimensions;
    vector[at] = (vector[at] ?? 0) + sign * weight;
  });
  return vector;
}
