import { MAX_MESSAGE_CHARACTERS, present, shorten } from '@kith/contracts';
import { says, tellingWords } from '../quotes/quote-finder.js';

/** Letters that a stem keeps at least: `ring` is no `r`. */
const MIN_STEM = 4;
/** Words of a query that are looked for: a question has fewer. */
const MAX_WORDS = 12;

/**
 * Lists the stems by which a query's words are looked for: `painted` and `painting` are found by `paint`. Words of three
 * letters, such as "dog", are in many others: they count where there is no longer one. Pure.
 */
export function stemsOf(query: string): string[] {
  const telling = [...tellingWords(query)];
  const words =
    telling.length > 0
      ? telling
      : searchedText(query)
          .match(/\p{L}+/gu)
          ?.filter(says);
  const stems = words?.map((word) => {
    const stem = word.replace(/(?:ies|ing|ed|er|es|ly|y|e)$/, '');
    return stem.length >= MIN_STEM ? stem : word;
  });
  return [...new Set(stems)].slice(0, MAX_WORDS);
}

const SHORT = /^\p{L}{3}$/u;
const IN_WORD = /[\p{L}\p{N}]/u;

/** Finds a stem in a text in lower case, -1 where it is not: one of three letters as a word, and not within one. */
function placeOf(stem: string, text: string): number {
  let at = text.indexOf(stem);
  for (; at >= 0 && SHORT.test(stem); at = text.indexOf(stem, at + 1)) {
    const end = at + stem.length;
    const after = text.charAt(text.charAt(end) === 's' ? end + 1 : end);
    if (!IN_WORD.test(text.charAt(at - 1)) && !IN_WORD.test(after)) break;
  }
  return at;
}

/** Characters that are normalised at once: one may become eighteen. */
const STEP = 1_000;
/** Characters of all lines that are searched, the newest first: many times what 2,000 lines of a chat have. */
export const MAX_CHARACTERS = 4_000_000;

/**
 * Ranks lines by the query's words that they hold, a rare word above a common one, and the later of two that are alike.
 * Pure.
 * @param lines oldest first
 */
export function rankLines<T extends { text: string }>(stems: readonly string[], lines: readonly T[]): T[] {
  const held: { line: T; at: number; stems: string[] }[] = [];
  let characters = 0;
  for (let at = lines.length - 1; at >= 0 && characters < MAX_CHARACTERS; at -= 1) {
    const line = present(lines[at]);
    const text = searchedText(line.text);
    characters += text.length;
    held.push({ line, at, stems: stems.filter((stem) => placeOf(stem, text) >= 0) });
  }
  const weights = new Map(
    stems.map((stem) => {
      const count = held.filter((one) => one.stems.includes(stem)).length;
      return [stem, Math.log(1 + held.length / (1 + count))];
    }),
  );
  return held
    .map((one) => ({ ...one, score: one.stems.reduce((sum, stem) => sum + (weights.get(stem) ?? 0), 0) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.at - a.at)
    .map(({ line }) => line);
}

function searchedText(text: string): string {
  let plain = '';
  for (let at = 0; at < text.length && plain.length < MAX_MESSAGE_CHARACTERS; at += STEP)
    plain += text.slice(at, at + STEP).normalize('NFKC');
  return plain.slice(0, MAX_MESSAGE_CHARACTERS).toLowerCase();
}

/** Characters told before the word that a part of a line begins for: the sentence that leads to it. */
const LEAD = 100;

/** Cuts a line to the part with most of these stems, the first of equals: a long one shows why it was found. Pure. */
export function partWith(stems: readonly string[], line: string, max: number): string {
  if (line.length <= max) return line;
  const lower = line.toLowerCase();
  const starts = stems
    .map((stem) => placeOf(stem, lower) - LEAD)
    .filter((at) => at > 0)
    .sort((a, b) => a - b);
  const countFrom = (at: number) => {
    const part = lower.slice(at, at + max);
    return stems.filter((stem) => placeOf(stem, part) >= 0).length;
  };
  const best = [0, ...starts].reduce((a, b) => (countFrom(b) > countFrom(a) ? b : a));
  if (best === 0) return shorten(line, max);
  const space = line.indexOf(' ', best);
  // Never within a character; in writing without spaces, wherever it is.
  const begin = space >= 0 && space < best + LEAD ? space + 1 : best;
  return `… ${shorten(line.slice(begin).replace(/^[\uDC00-\uDFFF]/, ''), max)}`;
}
