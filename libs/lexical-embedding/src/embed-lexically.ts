import { hashFeatures } from './hash-features.js';
import { readWords } from './lexical-words.js';
import { toUnitLength } from './unit-length.js';
import { sumMeanings, WORD_DIMENSIONS } from './word-table.js';

/*
 * An embedder without a model. The first part of a vector is the text's spelling, hashed; the second the sum of what its
 * words mean, from a table. The one finds names and words written wrong, the other what is said in other words.
 */

/** On LoCoMo and BEAM 156 find as much as 448. More of them keep a single misspelt word apart from chance. */
const SPELLING_DIMENSIONS = 256;
const DIMENSIONS = SPELLING_DIMENSIONS + WORD_DIMENSIONS;
/** Share of a cosine that is meaning. Between .5 and .8 hit@10 moves by less than a point on any set. */
const MEANING_SHARE = 0.7;
/** Of a longer text the rest is not read: a memory or a passage of a document is shorter. */
const MAX_CHARACTERS = 8_000;

/** Its vectors' space: a name for these numbers, which stored vectors depend on. */
export const LEXICAL_SPACE = {
  id: `lexical-v2-${DIMENSIONS}`,
  dimensions: DIMENSIONS,
  kind: 'lexical',
} as const;

/**
 * The vector of one text, whatever it is for, in about 0.2 ms for a message. Deterministic: the same text gives the
 * same vector on every machine.
 */
export function embedLexically(text: string): Float32Array {
  const read = text.slice(0, MAX_CHARACTERS);
  const words = readWords(read);
  const vector = new Float64Array(DIMENSIONS);
  put(hashFeatures(read, words, SPELLING_DIMENSIONS), vector, 0, 1 - MEANING_SHARE);
  put(sumMeanings(words), vector, SPELLING_DIMENSIONS, MEANING_SHARE);
  // Two features may cancel each other out to nothing; any fixed direction is then as good as another.
  if (vector.every((value) => value === 0)) vector[0] = 1;
  return toUnitLength(vector);
}

/** Writes a part at `start`, as long as makes its cosine count by this share. A part without direction stays away. */
function put(part: Float64Array, into: Float64Array, start: number, share: number): void {
  if (part.every((value) => value === 0)) return;
  const weight = Math.sqrt(share);
  const direction = toUnitLength(part);
  for (let index = 0; index < part.length; index += 1) into[start + index] = weight * (direction[index] ?? 0);
}
