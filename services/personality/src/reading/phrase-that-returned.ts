import { firstOf, HOUR_MS, lastOf } from '@kith/contracts';
import { readWords } from '@kith/lexical-embedding';
import { textForRules } from '@kith/reading';
import { isOrderWord } from '../persona/order-words.js';
import type { SpokenTurn } from './spoken-turn.js';

/** Laughter as people type it. */
export const LAUGHTER = /\b(?:a?(?:ha){2,}h?|(?:he){2,}|(?:hi){2,}|lol|lmao|rofl|lmfao)\b|[😂🤣😆😹]/iu;
/** Most words of a phrase: a longer one is hardly repeated word for word. */
const MAX_WORDS = 6;
const MAX_CHARACTERS = 60;
/** A single word comes back by chance, and so do two that everybody says. */
const MIN_TELLING = 2;

/** Everyday words: a phrase of these alone is no joke that came back. */
const PLAIN = new Set(
  `today tomorrow yesterday tonight morning evening night week weekend month year time day days work home really
  maybe please sorry happy thing something anything nothing everything going looking feel feeling love like nice
  little better best right sure people person talk talking tell told said think thought need want hope`.split(
    /\s+/,
  ),
);

/** Returns the messages of a turn in the form in which phrases are looked for. */
export function formsSaidIn(turn: SpokenTurn): string[] {
  return turn.messages.map(({ text }) => ` ${wordsOf(textForRules(text)).map(formOf).join(' ')} `);
}

/**
 * Finds the longest phrase of these lines that was said again; null when none is distinctive enough.
 * @param said messages as `formsSaidIn` returns them
 */
export function phraseThatReturned(lines: readonly string[], said: readonly string[]): string | null {
  const runs = lines.flatMap((line) => runsOf(wordsOf(line)));
  return (
    runs
      .filter((run) => said.some((text) => text.includes(` ${run.map(formOf).join(' ')} `)))
      .map((run) => run.join(' '))
      .toSorted((one, other) => other.length - one.length)[0] ?? null
  );
}

/** Returns the runs of words that would tell which joke it is, with a distinctive word at either end. */
export function runsOf(words: readonly string[]): string[][] {
  const weighed = words.map(weigh);
  const runs: string[][] = [];
  for (let start = 0; start < words.length; start += 1) {
    for (let end = start + MIN_TELLING; end <= Math.min(words.length, start + MAX_WORDS); end += 1) {
      const run = weighed.slice(start, end);
      if (isTelling(run)) runs.push(run.map(({ word }) => word));
    }
  }
  return runs;
}

interface WeighedWord {
  word: string;
  /** True for a distinctive word. */
  tells: boolean;
  /** True where no phrase may contain it. */
  isBarred: boolean;
}

function weigh(word: string): WeighedWord {
  const form = word.toLowerCase();
  return {
    word,
    tells: word.length > 3 && !PLAIN.has(form) && !isStopWord(word),
    isBarred: isOrderWord(form) || LAUGHTER.test(word),
  };
}

function isTelling(run: readonly WeighedWord[]): boolean {
  return (
    firstOf(run).tells &&
    lastOf(run).tells &&
    run.filter(({ tells }) => tells).length >= MIN_TELLING &&
    run.map(({ word }) => word).join(' ').length <= MAX_CHARACTERS &&
    !run.some(({ isBarred }) => isBarred)
  );
}

function isStopWord(word: string): boolean {
  return readWords(word).every((read) => read.isStopWord);
}

/** Returns the words, of letters and figures alone: no markup comes with a phrase. */
export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu) ?? [];
}

function formOf(word: string): string {
  return word.toLowerCase().replaceAll('’', "'");
}

/** Tells whether one time is on a later day than the other, with a night between them. */
export function isLaterDay(at: number, laughedAt: number): boolean {
  const nightMs = 6 * HOUR_MS;
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  return at - laughedAt >= nightMs && dayOf(at) > dayOf(laughedAt);
}
