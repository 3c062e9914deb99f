import { MAX_MESSAGE_CHARACTERS, present } from '@kith/contracts';
import { tellingWords } from '../quotes/quote-finder.js';

/** Letters that a stem keeps at least: `ring` is no `r`. */
const MIN_STEM = 4;
/** Words of a query that are looked for: a question has fewer. */
const MAX_WORDS = 12;

/** Lists the stems by which a query's words are looked for: `painted` and `painting` are found by `paint`. Pure. */
export function stemsOf(query: string): string[] {
  const stems = [...tellingWords(query)].map((word) => {
    const stem = word.replace(/(?:ies|ing|ed|er|es|ly|y|e)$/, '');
    return stem.length >= MIN_STEM ? stem : word;
  });
  return [...new Set(stems)].slice(0, MAX_WORDS);
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
    held.push({ line, at, stems: stems.filter((stem) => text.includes(stem)) });
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
