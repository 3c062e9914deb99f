import type { Word } from './lexical-words.js';

/*
 * The numbers here were chosen step by step on five LoCoMo conversations (997 questions, hit@10 of an evidence turn by
 * cosine, before the word table stood beside them); a comment says what its step changed. All together: 52.4.
 */

/** 32.0 with stop words at full weight, 39.3 at a tenth. */
const STOP_WORD_WEIGHT = 0.1;
/** Long words are rarer, and without a corpus there is no count to go by. 39.3 → 43.2 for a tenth a letter. */
const WEIGHT_PER_LETTER = 0.1;
const AVERAGE_LETTERS = 5;
const [LIGHTEST, HEAVIEST] = [0.5, 1.5];
/** Makes word order count a little; 51.0 to 51.9 for any weight to 0.6. */
const BIGRAM_WEIGHT = 0.15;
/** All n-grams of a word together, against the word itself: they carry over typing errors and endings. */
const NGRAMS_WEIGHT = 0.8;
const NGRAM_SIZES = [3, 4, 5] as const;
const UNSPACED_NGRAM_SIZES = [1, 2, 3] as const;

/**
 * Features of a text, with weights: word stems, pairs of neighbours, character n-grams. A feature that
 * occurs n times counts 1 + ln n times. Never empty for a text with a character in it.
 */
export function featuresOf(text: string, words: readonly Word[]): Map<string, number> {
  const features = new Counts();
  let previous: { stem: string; weight: number } | undefined;
  for (const word of words) {
    const weight = weightOf(word);
    features.add(`w${word.stem}`, weight);
    if (previous) {
      features.add(`b${previous.stem} ${word.stem}`, BIGRAM_WEIGHT * Math.sqrt(previous.weight * weight));
    }
    previous = { stem: word.stem, weight };
    if (word.isStopWord) continue;
    const ngrams = ngramsOf(word);
    for (const ngram of ngrams)
      features.add(`c${ngram}`, (NGRAMS_WEIGHT * weight) / Math.sqrt(ngrams.length));
  }
  // Emoji and punctuation alone: better compared by their characters than not at all.
  if (words.length === 0) for (const character of text) features.add(`x${character}`, 1);
  return features.weights();
}

function weightOf({ form, isStopWord }: Word): number {
  if (isStopWord) return STOP_WORD_WEIGHT;
  const weight = 1 + WEIGHT_PER_LETTER * (form.length - AVERAGE_LETTERS);
  return Math.min(HEAVIEST, Math.max(LIGHTEST, weight));
}

function ngramsOf({ form, isUnspaced }: Word): string[] {
  const padded = isUnspaced ? form : `^${form}$`;
  return (isUnspaced ? UNSPACED_NGRAM_SIZES : NGRAM_SIZES).flatMap((size) =>
    Array.from({ length: Math.max(0, padded.length - size + 1) }, (_, start) =>
      padded.slice(start, start + size),
    ),
  );
}

/** Counts of features, each with the weight it came with first. */
class Counts {
  private readonly entries = new Map<string, { weight: number; times: number }>();

  add(feature: string, weight: number): void {
    const entry = this.entries.get(feature);
    if (entry) entry.times += 1;
    else this.entries.set(feature, { weight, times: 1 });
  }

  weights(): Map<string, number> {
    return new Map(
      [...this.entries].map(([feature, { weight, times }]) => [feature, weight * (1 + Math.log(times))]),
    );
  }
}
