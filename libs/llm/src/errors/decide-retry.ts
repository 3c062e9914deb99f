import type { ModelErrorKind } from './model-error.js';

export interface FailedTry {
  kind: ModelErrorKind;
  /** Tries made with this model so far, from 1: the failed one included. */
  tries: number;
  /** Time since the first try. */
  elapsedMs: number;
  /** Time for all tries together. */
  budgetMs: number;
  /** Wait the host asked for. */
  retryAfterMs?: number | undefined;
  /** True where another model comes behind this one. */
  hasNext: boolean;
  /** In [0, 1): spreads those who failed together. */
  random: number;
}

/** `next`: go on with the next model, or give up where there is none. */
export type RetryDecision = { action: 'retry'; waitMs: number } | { action: 'next' };

/** Most tries of one model, by the failure. Absent: asking again changes nothing. */
const MAX_TRIES: Partial<Record<ModelErrorKind, number>> = {
  overloaded: 3,
  'rate-limited': 3,
  unreachable: 3,
  'cut-stream': 2,
  empty: 2,
  garbled: 2,
};

// Half a second clears a blip, a second and a half most restarts; by then the person has waited long enough.
const BACKOFF_MS = [500, 1_500] as const;

/** Longest wait for one model: beyond it another that can answer now is better than the first one later. */
export const MAX_WAIT_BEFORE_NEXT_MS = 5_000;

/** A try with less time than this would only add a timeout. */
export const MIN_TRY_MS = 250;

/**
 * Decides whether to ask the same model again, and after how long: the one rule for models of words and of vectors.
 * A host's own word on when to come back counts before ours. Pure.
 */
export function decideRetry(failed: FailedTry): RetryDecision {
  const { kind, tries, elapsedMs, budgetMs, retryAfterMs, hasNext, random } = failed;
  if (tries >= (MAX_TRIES[kind] ?? 1)) return { action: 'next' };
  // Up to half as long again: whoever met the same failure at once does not come back at once.
  const waitMs = retryAfterMs ?? backoffMs(kind, tries) * (1 + random / 2);
  if (hasNext && waitMs > MAX_WAIT_BEFORE_NEXT_MS) return { action: 'next' };
  if (elapsedMs + waitMs + MIN_TRY_MS > budgetMs) return { action: 'next' };
  return { action: 'retry', waitMs };
}

/** A model that answered badly is there: it can be asked at once. */
function backoffMs(kind: ModelErrorKind, tries: number): number {
  if (kind === 'empty' || kind === 'garbled' || kind === 'cut-stream') return 0;
  return BACKOFF_MS[tries - 1] ?? BACKOFF_MS[1];
}
