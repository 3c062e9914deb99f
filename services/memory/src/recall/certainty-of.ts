import { analyseText } from '../words/analyse-text.js';
import { countTerms, inverseDocumentFrequency } from '../words/bm25.js';
import type { Candidate } from './memory-ranking.js';
import type { Question } from './read-question.js';

/** Lines that a well-known subject has at least: the last of them is compared with the best. */
const LINES = 10;
/** Lines, best by their words, that are read: 60 improve nothing. */
const MAX_READ = 20;
/** Weight of the best line of anybody else, against that of the one who is asked about. Half of it does nearly as well. */
const AGAINST = 0.7;
/** Lines that these are weighed as a part of, as in `rank-by-words.ts`: in a handful every word would look common. */
const ASSUMED_LINES = 100;
/** Least certainty: that nothing found answers is never certain, either. */
const LEAST = 0.02;

/**
 * Estimates how likely anything found answers at all, from `LEAST` to 1, so that scores of different questions compare.
 * Less where one line stands out and little else is said of it, as when a detail is asked for that was never told; and,
 * where one person is asked about, the fewer of the words they said in one line and the more another did.
 */
export function certaintyOf(
  { terms, about }: Pick<Question, 'terms' | 'about'>,
  candidates: readonly Pick<Candidate, 'text' | 'speaker' | 'words' | 'similarity'>[],
): number {
  const found = candidates.filter(hasWords).sort((a, b) => b.words - a.words);
  const [best] = found;
  // If no line has a word of the question, the best similarity is the estimate.
  if (!best) return candidates.reduce((most, { similarity }) => Math.max(most, similarity ?? 0), LEAST);
  const last = found[Math.min(LINES, found.length) - 1] ?? best;
  const breadth = ((last.words / best.words) * Math.min(LINES, found.length)) / LINES;
  return Math.max(LEAST, breadth * agreement(new Set(terms), about, found.slice(0, MAX_READ)));
}

function hasWords<C extends Pick<Candidate, 'words'>>(line: C): line is C & { words: number } {
  return line.words !== null;
}

function agreement(
  terms: ReadonlySet<string>,
  about: Question['about'],
  lines: readonly Pick<Candidate, 'text' | 'speaker'>[],
): number {
  if (about === null) return 1;
  const counted = lines.map(({ text, speaker }) => ({ speaker, words: countTerms(analyseText(text)) }));
  const rarity = [...terms].map((term) => {
    const holders = counted.filter(({ words }) => words.has(term)).length;
    return [term, inverseDocumentFrequency(ASSUMED_LINES, holders)] as const;
  });
  const sum = (some: typeof rarity) => some.reduce((all, [, weight]) => all + weight, 0);
  const most = (isTheirs: boolean) =>
    counted
      .filter(({ speaker }) => (speaker !== null && about.includes(speaker)) === isTheirs)
      .reduce((top, { words }) => Math.max(top, sum(rarity.filter(([term]) => words.has(term)))), 0);
  return Math.max(0, most(true) - AGAINST * most(false)) / sum(rarity);
}
