import { describe, expect, it } from '@jest/globals';
import { outlineOf, radarPoints } from './radar-points.js';

describe('a radar', () => {
  it('begins at the top and goes on clockwise', () => {
    expect(radarPoints([1, 1, 1, 1], 50, 40)).toEqual([
      { x: 50, y: 10, anchor: 'middle' },
      { x: 90, y: 50, anchor: 'start' },
      { x: 50, y: 90, anchor: 'middle' },
      { x: 10, y: 50, anchor: 'end' },
    ]);
  });

  it('puts a value as far out as it is large', () => {
    expect(radarPoints([0.5, 0], 50, 40).map(({ y }) => y)).toEqual([30, 50]);
  });

  it('is drawn through its corners', () => {
    expect(outlineOf(radarPoints([1, 1], 50, 40))).toBe('50,10 50,90');
  });
});
