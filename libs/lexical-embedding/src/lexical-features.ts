import type { Word } from './lexical-words.js';
import { hashText } from './hash-text.js';

/*
 * The numbers here were chosen step by step on five LoCoMo conversations: 997 questions, hit@10 of an evidence turn by
 * cosine, before there was a word table. Comments say what a step changed; all together came to 52.4.
 */

/** Weight of a stop word: with 1 hit@10 was 32.0, with a tenth 39.3. */
const STOP_WORD_WEIGHT = 0.1;
/** Weight that each letter adds, as long words are rarer, and no corpus tells how rare. 39.3 became 43.2. */
const WEIGHT_PER_LETTER = 0.1;
/** Letters of a word that weighs 1, as an English word has on average. */
const AVERAGE_LETTERS = 5;
/** Bounds, so that one long word does not stand for the whole text. */
const [LIGHTEST, HEAVIEST] = [0.5, 1.5];
/** Weight of a pair of neighbours, so that word order counts a little: 51.0 to 51.9 for any weight up to 0.6. */
const BIGRAM_WEIGHT = 0.15;
/** Weight of all n-grams of a word together, against the word itself: they are alike in spite of typing errors. */
const NGRAMS_WEIGHT = 0.8;
const NGRAM_SIZES = [3, 4, 5] as const;
const UNSPACED_NGRAM_SIZES = [1, 2, 3] as const;

/**
 * Lists the features of a text, with weights: word stems, pairs of neighbours, character n-grams. A feature that
 * occurs n times counts 1 + ln n times. Never empty for a text with a character in it.
 */
function featuresOf(text: string, words: readonly Word[]): Map<string, number> {
  // Each with the weight it came with first.
  const features = new Map<string, number>();
  const times = new Map<string, number>();
  const add = (feature: string, weight: number): void => {
    if (features.has(feature)) times.set(feature, (times.get(feature) ?? 1) + 1);
    else features.set(feature, weight);
  };
  let previous: { stem: string; weight: number } | undefined;
  for (const word of words) {
    const weight = weightOf(word);
    add(`w${word.stem}`, weight);
    if (previous) add(`b${previous.stem} ${word.stem}`, BIGRAM_WEIGHT * Math.sqrt(previous.weight * weight));
    previous = { stem: word.stem, weight };
    if (word.isStopWord) continue;
    const ngrams = ngramsOf(word);
    for (const ngram of ngrams) add(`c${ngram}`, (NGRAMS_WEIGHT * weight) / Math.sqrt(ngrams.length));
  }
  // Emoji and punctuation alone: better compared by their characters than not at all.
  if (words.length === 0) for (const character of text) add(`x${character}`, 1);
  times.forEach((count, feature) =>
    features.set(feature, (features.get(feature) ?? 0) * (1 + Math.log(count))),
  );
  return features;
}

function weightOf({ form, isStopWord }: Word): number {
  if (isStopWord) return STOP_WORD_WEIGHT;
  const weight = 1 + WEIGHT_PER_LETTER * (form.length - AVERAGE_LETTERS);
  return Math.min(HEAVIEST, Math.max(LIGHTEST, weight));
}

function ngramsOf({ form, isUnspaced }: Word): string[] {
  const padded = isUnspaced ? form : `^${form}$`;
  const ngrams: string[] = [];
  for (const size of isUnspaced ? UNSPACED_NGRAM_SIZES : NGRAM_SIZES) {
    for (let start = 0; start + size <= padded.length; start += 1)
      ngrams.push(padded.slice(start, start + size));
  }
  return ngrams;
}

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
