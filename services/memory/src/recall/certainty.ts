import { analyseText } from '../words/analyse-text.js';
import { countTerms, inverseDocumentFrequency } from '../words/bm25.js';
import type { Candidate } from './rank-memories.js';
import type { Question } from './read-question.js';

/** Of what is known well there are so many lines: the last of them is compared with the best. */
const LINES = 10;
/** So many lines by their words hold what there is: 60 tell no more. */
const MAX_READ = 20;
/** Weight against an answer whose words another one's line has; half of it does nearly as well. */
const AGAINST = 0.7;
/** Among a handful of lines every word looks common, as in `rank-by-words.ts`. */
const ASSUMED_LINES = 100;
/** Nothing is ever certain not to be an answer. */
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
  // Nothing has a word of it: what is found is as likely an answer as it is alike.
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
  about: string | null,
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
      .filter(({ speaker }) => (speaker === about) === isTheirs)
      .reduce((top, { words }) => Math.max(top, sum(rarity.filter(([term]) => words.has(term)))), 0);
  return Math.max(0, most(true) - AGAINST * most(false)) / sum(rarity);
}
