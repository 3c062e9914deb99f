import { describe, expect, it } from '@jest/globals';
import { decideRetry, type FailedTry } from './decide-retry.js';

const failed = (overrides: Partial<FailedTry>): FailedTry => ({
  kind: 'overloaded',
  tries: 1,
  elapsedMs: 0,
  budgetMs: 60_000,
  hasNext: false,
  random: 0,
  ...overrides,
});
const NEXT = { action: 'next' };

describe('decideRetry', () => {
  it('backs off from an overloaded host, a few times', () => {
    expect(decideRetry(failed({ tries: 1 }))).toEqual({ action: 'retry', waitMs: 500 });
    expect(decideRetry(failed({ tries: 2 }))).toEqual({ action: 'retry', waitMs: 1_500 });
    expect(decideRetry(failed({ tries: 3 }))).toEqual(NEXT);
  });

  it('spreads those who failed together', () => {
    expect(decideRetry(failed({ random: 0.5 }))).toEqual({ action: 'retry', waitMs: 625 });
    expect(decideRetry(failed({ random: 0.5, retryAfterMs: 1_000 }))).toEqual({
      action: 'retry',
      waitMs: 1_000,
    });
  });

  it('waits as long as a rate limit says, when that is within the budget', () => {
    const limited = failed({ kind: 'rate-limited', retryAfterMs: 12_000 });
    expect(decideRetry(limited)).toEqual({ action: 'retry', waitMs: 12_000 });
    expect(decideRetry({ ...limited, budgetMs: 12_000 })).toEqual(NEXT);
    expect(decideRetry({ ...limited, elapsedMs: 50_000 })).toEqual(NEXT);
  });

  it('does not wait long where another model could answer', () => {
    const limited = failed({ kind: 'rate-limited', hasNext: true });
    expect(decideRetry({ ...limited, retryAfterMs: 2_000 })).toEqual({ action: 'retry', waitMs: 2_000 });
    expect(decideRetry({ ...limited, retryAfterMs: 12_000 })).toEqual(NEXT);
  });

  it.each(['spend-limit', 'unauthorized', 'refused', 'invalid-request', 'out-of-tokens', 'timeout'] as const)(
    'never asks again after %s',
    (kind) => {
      expect(decideRetry(failed({ kind, retryAfterMs: 1 }))).toEqual(NEXT);
    },
  );

  it.each(['cut-stream', 'empty', 'garbled'] as const)('asks once more, at once, after %s', (kind) => {
    expect(decideRetry(failed({ kind }))).toEqual({ action: 'retry', waitMs: 0 });
    expect(decideRetry(failed({ kind, tries: 2 }))).toEqual(NEXT);
  });
});
