import { sum } from '../figures.ts';
import { firstHit, ndcgAt } from '../../apps/cli/dist/memories/ranking-measures.js';

export const MEASURES = ['hit@5', 'hit@10', 'hit@20', 'nDCG@10'] as const;

/** Scores of one question, each from 0 to 1. */
export type Outcome = Record<(typeof MEASURES)[number], number>;

/**
 * Measures one ranking.
 * @param evidence the turns that hold the answer
 * @param ranked of each result, best first, the turns it comes from
 */
export function measure(evidence: readonly string[], ranked: readonly string[][]): Outcome {
  const wanted = new Set(evidence);
  const first = firstHit(wanted, ranked);
  const within = (cut: number) => (first !== null && first <= cut ? 1 : 0);
  return {
    'hit@5': within(5),
    'hit@10': within(10),
    'hit@20': within(20),
    'nDCG@10': ndcgAt(10, wanted, ranked),
  };
}

/** The mean of each measure, in percent. */
export function meanOf(outcomes: readonly Outcome[]): Outcome {
  const mean = (name: keyof Outcome) =>
    (100 * sum(outcomes.map((outcome) => outcome[name]))) / outcomes.length;
  return Object.fromEntries(MEASURES.map((name) => [name, mean(name)])) as Outcome;
}
