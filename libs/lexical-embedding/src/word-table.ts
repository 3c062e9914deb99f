import { readFileSync } from 'node:fs';
import { hashText } from './hash-text.js';
import type { Word } from './lexical-words.js';

/*
 * Meanings of 40,000 English words, learned from what stands near them (GloVe), less what is common to all words. The
 * file is made by tools/word-table/make.mjs; its licence stands beside it.
 */

/** Dimensions of the table, as it was made. */
export const WORD_DIMENSIONS = 100;
const FILE = new URL('../data/words.bin', import.meta.url);
/** Bytes of a word's hash, its step, its rank and its vector. */
const BYTES_PER_WORD = 4 + 4 + 2 + WORD_DIMENSIONS;
/** Any would do, but the table was made with this one. */
export const WORD_SEED = 0;

/** Frequency of a word that counts by half (Arora, Liang and Ma 2017). Any from .0001 to .01 does as well. */
const HALF_WEIGHT = 0.001;
/** Words of the vocabulary the table is from. By Zipf's law, the one of rank r is 1 / (r · (ln n + .577)) of all text. */
const SOURCE_WORDS = 341_479;
const HARMONIC = Math.log(SOURCE_WORDS) + 0.577;

interface WordTable {
  /** Hashes of the words, rising. One word in a hundred thousand that are not in the table has the hash of one that is. */
  readonly hashes: Uint32Array;
  /** Value of a byte's step, word by word. */
  readonly steps: Float32Array;
  /** Rank by frequency, from 0 for the most common word. */
  readonly ranks: Uint16Array;
  readonly vectors: Int8Array;
}

let table: WordTable | undefined;

/** Reads the table with the first text that needs it: 4.4 MB, once a process. */
function loadTable(): WordTable {
  if (table) return table;
  const { buffer, byteOffset, length } = readFileSync(FILE);
  const words = length / BYTES_PER_WORD;
  if (!Number.isInteger(words)) throw new Error(`${FILE.pathname} is damaged: it has ${length} bytes`);
  table = {
    hashes: new Uint32Array(buffer, byteOffset, words),
    steps: new Float32Array(buffer, byteOffset + 4 * words, words),
    ranks: new Uint16Array(buffer, byteOffset + 8 * words, words),
    vectors: new Int8Array(buffer, byteOffset + 10 * words),
  };
  return table;
}

/**
 * Sums the vectors of a text's words, each once, the rarer the more (smooth inverse frequency). All
 * zeros where no word is known, or each is a stop word.
 */
export function sumMeanings(words: readonly Word[]): Float64Array {
  const { hashes, steps, ranks, vectors } = loadTable();
  const sum = new Float64Array(WORD_DIMENSIONS);
  for (const form of new Set(words.filter(({ isStopWord }) => !isStopWord).map(({ form }) => form))) {
    const row = placeOf(hashText(form, WORD_SEED), hashes);
    if (row === null) continue;
    const share = 1 / (((ranks[row] ?? 0) + 1) * HARMONIC);
    const weight = ((steps[row] ?? 0) * HALF_WEIGHT) / (HALF_WEIGHT + share);
    const start = row * WORD_DIMENSIONS;
    for (let d = 0; d < WORD_DIMENSIONS; d += 1) sum[d] = (sum[d] ?? 0) + weight * (vectors[start + d] ?? 0);
  }
  return sum;
}

/** Finds the place of a number among rising ones, or null. */
function placeOf(wanted: number, rising: Uint32Array): number | null {
  let low = 0;
  let high = rising.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = rising[middle] ?? 0;
    if (found === wanted) return middle;
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return null;
}
