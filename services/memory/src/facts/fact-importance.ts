import { scoreImportance } from '../words/score-importance.js';
import type { Statement } from './statement.js';

/** Least importance of a fact: it matters more than most of what they say. */
export const LEAST_FACT_IMPORTANCE = 6;

/** Scores a fact: as a model judged it, else as the line it was told in, and never as small talk. */
export function factImportance({ importance }: Pick<Statement, 'importance'>, line: string): number {
  return importance ?? Math.max(LEAST_FACT_IMPORTANCE, scoreImportance(line));
}
