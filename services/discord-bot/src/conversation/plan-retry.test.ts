import { describe, expect, it } from '@jest/globals';
import { handOverWaitMs } from './plan-retry.js';

describe('handOverWaitMs', () => {
  it('waits longer each time, up to eight seconds', () => {
    expect([0, 1, 2, 3, 4, 9].map((attempt) => handOverWaitMs(attempt, 0))).toEqual([
      500, 1_000, 2_000, 4_000, 8_000, 8_000,
    ]);
  });

  it('gives up after a minute', () => {
    expect(handOverWaitMs(9, 52_000)).toBe(8_000);
    expect(handOverWaitMs(9, 52_001)).toBeNull();
  });
});
