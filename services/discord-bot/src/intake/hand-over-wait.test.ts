import { describe, expect, it } from '@jest/globals';
import { handOverWaitMs } from './hand-over-wait.js';

describe('handOverWaitMs', () => {
  it('waits longer each time, up to four seconds', () => {
    expect([0, 1, 2, 3, 4, 5, 900].map(handOverWaitMs)).toEqual([
      250, 500, 1_000, 2_000, 4_000, 4_000, 4_000,
    ]);
  });
});
