import { describe, expect, it } from '@jest/globals';
import { finalCloseProblem, finalLoginProblem, loginWaitMs } from './connection-failures.js';

describe('judging a failed connection', () => {
  it.each([4004, 4010, 4011, 4012, 4013, 4014])('stops for good on close %i', (code) => {
    expect(finalCloseProblem(code)).toMatch(/\w/);
  });

  it.each([1000, 1006, 4000, 4007, 4009])('connects again after close %i', (code) => {
    expect(finalCloseProblem(code)).toBeNull();
  });

  it('stops on a refused token, and waits for a Discord that is away', () => {
    expect(finalLoginProblem(Object.assign(new Error('x'), { code: 'TokenInvalid' }))).toMatch(
      /DISCORD_TOKEN/,
    );
    expect(finalLoginProblem(new Error('connect ECONNREFUSED'))).toBeNull();
  });

  it('stays below the identifies Discord allows in a day', () => {
    const waits = Array.from({ length: 20 }, (_, attempt) => loginWaitMs(attempt));
    expect(waits[0]).toBe(5_000);
    expect(86_400_000 / (waits.at(-1) ?? 0)).toBeLessThan(1_000);
  });
});
