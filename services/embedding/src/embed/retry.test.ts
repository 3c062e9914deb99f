import { describe, expect, it } from '@jest/globals';
import {
  ProviderFailure,
  failureKindOf,
  readRetryAfter,
  type FailureKind,
} from '../providers/provider-failure.js';
import { decideRetry } from './retry.js';

const after = (kind: FailureKind, tries: number, retryAfterMs: number | null = null, elapsedMs = 0) =>
  decideRetry({ failure: new ProviderFailure(kind, 'x', retryAfterMs), tries, elapsedMs, random: 0 });

describe('decideRetry', () => {
  it('waits longer after each failure that may pass, and gives up after three tries', () => {
    expect([after('overloaded', 1), after('network', 2), after('overloaded', 3)]).toEqual([200, 400, null]);
  });

  it.each(['auth', 'model', 'shape', 'refused', 'spent'] as const)('does not repeat after %s', (kind) => {
    expect(after(kind, 1)).toBeNull();
  });

  it('waits as long as the provider asks, if askers still wait then', () => {
    expect(after('limited', 1, 2_500)).toBe(2_500);
    expect(after('limited', 1, 60_000)).toBeNull();
    expect(after('limited', 2, 5_000, 6_000)).toBeNull();
  });
});

describe('failureKindOf', () => {
  it.each([
    [401, '', null, 'auth'],
    [403, '', null, 'auth'],
    [400, 'API key not valid. Please pass a valid API key.', null, 'auth'],
    [404, '', null, 'model'],
    [429, '', 1_000, 'limited'],
    [429, '', null, 'spent'],
    [429, 'insufficient_quota', 1_000, 'spent'],
    [503, '', null, 'overloaded'],
    [529, '', null, 'overloaded'],
    [400, 'too long', null, 'refused'],
  ] as const)('reads %i %p (retry-after %p) as %s', (status, body, retryAfterMs, kind) => {
    expect(failureKindOf(status, body, retryAfterMs)).toBe(kind);
  });
});

describe('readRetryAfter', () => {
  const now = new Date('2026-01-01T00:00:00Z');
  it('reads seconds and dates', () => {
    expect(readRetryAfter('1.5', now)).toBe(1_500);
    expect(readRetryAfter('Thu, 01 Jan 2026 00:00:07 GMT', now)).toBe(7_000);
  });

  it('makes nothing of what it cannot read', () => {
    expect([readRetryAfter(null, now), readRetryAfter('', now), readRetryAfter('soon', now)]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
