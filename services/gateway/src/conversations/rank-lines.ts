import { tellingWords } from '../forgetting/find-quotes.js';

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

/**
 * Ranks lines by the query's words that they hold, a rare word above a common one, and the later of two that are alike.
 * Pure.
 * @param lines oldest first
 */
export function rankLines<T extends { text: string }>(stems: readonly string[], lines: readonly T[]): T[] {
  const texts = lines.map(({ text }) => text.normalize('NFKC').toLowerCase());
  const weights = stems.map((stem) => {
    const count = texts.filter((text) => text.includes(stem)).length;
    return [stem, Math.log(1 + lines.length / (1 + count))] as const;
  });
  return lines
    .map((line, at) => ({
      line,
      at,
      score: weights.reduce((sum, [stem, weight]) => (texts[at]?.includes(stem) ? sum + weight : sum), 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.at - a.at)
    .map(({ line }) => line);
}
