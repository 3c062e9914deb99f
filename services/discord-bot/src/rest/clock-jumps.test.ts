import { describe, expect, it } from '@jest/globals';
import { ClockJumps } from './clock-jumps.js';

describe('the wall clock', () => {
  it('jumps when it is set, either way, and not when time just passes', () => {
    let [wall, monotonic] = [1_000_000, 0];
    const jumps = new ClockJumps(
      () => wall,
      () => monotonic,
    );
    const pass = (wallMs: number, monotonicMs: number) => {
      wall += wallMs;
      monotonic += monotonicMs;
      return jumps.hasJumped();
    };
    expect(pass(60_000, 60_000)).toBe(false);
    expect(pass(3_601_000, 1_000)).toBe(true);
    expect(pass(1_000, 1_000)).toBe(false);
    expect(pass(-3_600_000, 1_000)).toBe(true);
    expect(pass(1_500, 1_000)).toBe(false);
  });
});
