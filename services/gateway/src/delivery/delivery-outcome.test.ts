import { describe, expect, it } from '@jest/globals';
import { deliveryOutcome } from './delivery-outcome.js';

const now = new Date();
const after = (tries: number, reason: string, waitMs: number) =>
  deliveryOutcome({ kind: 'retry', reason, waitMs, sent: [], said: '' }, tries, now);
const waits = (tries: number) => after(tries, 'Discord 502', 0).retryAfterMs;

describe('a reply that could not be delivered', () => {
  it('is tried again after a second, then ever later, but never so late that Discord is back for long', () => {
    expect([1, 2, 3, 4, 5, 6, 50].map(waits)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000]);
  });

  it('waits as long as Discord wants', () => {
    expect(after(1, 'rate limited', 45_000)).toEqual({ lastError: 'rate limited', retryAfterMs: 45_000 });
    expect(after(6, 'rate limited', 45)).toEqual({ lastError: 'rate limited', retryAfterMs: 20_000 });
  });

  it('outlives an outage of twenty minutes, and is given up with its reason in the end', () => {
    let [tries, waited] = [1, 0];
    for (let wait = waits(tries); wait !== null; wait = waits(tries)) {
      waited += wait;
      tries += 1;
    }
    expect(waited).toBeGreaterThan(20 * 60_000);
    expect(waited).toBeLessThan(60 * 60_000);
    expect(after(tries, 'Discord 502', 0)).toEqual({
      status: 'failed',
      settledAt: now,
      retryAfterMs: null,
      lastError: `given up after ${tries} tries: Discord 502`,
    });
  });
});
