import { describe, expect, it } from '@jest/globals';
import { asideWaitMs, handOverWaitMs } from './hand-over-wait.js';

describe('handOverWaitMs', () => {
  it('waits longer each time, up to four seconds', () => {
    expect([0, 1, 2, 3, 4, 5, 900].map(handOverWaitMs)).toEqual([
      250, 500, 1_000, 2_000, 4_000, 4_000, 4_000,
    ]);
  });
});

describe('asideWaitMs', () => {
  it('waits longer each time, from a minute up to an hour', () => {
    expect([0, 1, 5, 6, 900].map((attempt) => asideWaitMs(attempt) / 60_000)).toEqual([1, 2, 32, 60, 60]);
  });
});
