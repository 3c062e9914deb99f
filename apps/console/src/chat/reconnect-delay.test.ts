import { describe, expect, it } from '@jest/globals';
import { reconnectDelayMs } from './chat-socket.js';

describe('reconnectDelayMs', () => {
  it('doubles with each failure up to a limit', () => {
    expect([0, 1, 2, 3, 4, 5, 30].map((attempt) => reconnectDelayMs(attempt, 1))).toEqual([
      500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000,
    ]);
  });

  it('spreads over the upper half', () => {
    expect(reconnectDelayMs(2, 0)).toBe(1_000);
  });
});
