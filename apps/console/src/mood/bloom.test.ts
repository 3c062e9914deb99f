import { describe, expect, it } from '@jest/globals';
import { bloomPath } from './bloom.js';

function reaches(path: string): number[] {
  return path
    .slice(1, -1)
    .split('L')
    .map((point) => {
      const [x = NaN, y = NaN] = point.split(' ').map(Number);
      return Math.hypot(x - 50, y - 50);
    });
}

describe('bloomPath', () => {
  it.each([-1, 0, 1])('stays within its box at dominance %d', (d) => {
    expect(Math.max(...reaches(bloomPath({ a: 1, d })))).toBeLessThanOrEqual(50);
  });

  it('is rounder when calm, and larger when sure of itself', () => {
    const depth = (a: number): number => {
      const all = reaches(bloomPath({ a, d: 0 }));
      return Math.max(...all) - Math.min(...all);
    };
    expect(depth(-1)).toBeLessThan(depth(0));
    expect(depth(0)).toBeLessThan(depth(1));
    expect(Math.max(...reaches(bloomPath({ a: 0, d: 1 })))).toBeGreaterThan(
      Math.max(...reaches(bloomPath({ a: 0, d: -1 }))),
    );
  });
});
