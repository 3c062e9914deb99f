import type { ModelError } from '../model-error.js';

export type RetryDecision = { kind: 'again'; afterMs: number } | { kind: 'next-model' };

/** Tries of one model: beyond this another model is the better bet. */
const MAX_TRIES = 3;
const FIRST_BACKOFF_MS = 300;
/** Waiting longer for one host than this keeps a person waiting for nothing while another could answer. */
const LONGEST_WAIT_MS = 8_000;

/**
 * What follows a failed try (reliability: model errors are three look-alikes). Overload backs off and tries
 * again; a limit that names its end is waited out if that is soon; money, rights and bad requests never
 * get better by asking again.
 * @param tries tries of this model so far, from 1
 * @param leftMs what is left of the turn's time
 */
export function decideRetry(error: ModelError, tries: number, leftMs: number): RetryDecision {
  if (tries >= MAX_TRIES) return { kind: 'next-model' };
  switch (error.kind) {
    case 'rate-limited': {
      const afterMs = error.retryAfterMs ?? LONGEST_WAIT_MS;
      return afterMs <= Math.min(LONGEST_WAIT_MS, leftMs)
        ? { kind: 'again', afterMs }
        : { kind: 'next-model' };
    }
    case 'overloaded':
    case 'cut-stream':
    case 'empty':
    case 'garbled': {
      const afterMs = FIRST_BACKOFF_MS * 2 ** (tries - 1);
      return afterMs < leftMs ? { kind: 'again', afterMs } : { kind: 'next-model' };
    }
    case 'timeout':
    case 'spend-limit':
    case 'unauthorized':
    case 'invalid-request':
      return { kind: 'next-model' };
  }
}
