import { describe, expect, it } from '@jest/globals';
import { momentsOf, pointList, radarCorners, scale } from './geometry.js';

describe('a scale', () => {
  it('maps the ends of a range onto those of another, and its middle onto the middle', () => {
    const y = scale([1, -1], [10, 50]);
    expect([1, 0, -1].map(y)).toEqual([10, 30, 50]);
  });
});

describe('a radar', () => {
  const centre = { x: 50, y: 50 };

  it('begins at the top and goes on clockwise', () => {
    expect(radarCorners([1, 1, 1, 1], centre, 40)).toEqual([
      { x: 50, y: 10, anchor: 'middle' },
      { x: 90, y: 50, anchor: 'start' },
      { x: 50, y: 90, anchor: 'middle' },
      { x: 10, y: 50, anchor: 'end' },
    ]);
  });

  it('puts a value as far out as it is large', () => {
    expect(radarCorners([0.5, 0], centre, 40).map(({ y }) => y)).toEqual([30, 50]);
  });

  it('is drawn through its corners', () => {
    expect(pointList(radarCorners([1, 1], centre, 40))).toBe('50,10 50,90');
  });
});

describe('moments', () => {
  it('hold the emotions of one turn together, with the mood before and after, and leave the rest of time out', () => {
    const point = (minute: number, p: number, emotion: string | null) => ({
      at: new Date(Date.UTC(2026, 4, 8, 10, minute)).toISOString(),
      pad: { p, a: 0, d: 0 },
      emotion,
      intensity: emotion === null ? null : 0.5,
    });
    const series = [point(1, 0, null), point(2, 0.1, 'joy'), point(2, 0.2, 'pride'), point(3, 0.1, null)];
    expect(momentsOf(series)).toEqual([
      {
        at: Date.parse(series[1]!.at),
        before: series[0],
        felt: [series[1], series[2]],
        pad: { p: 0.2, a: 0, d: 0 },
      },
    ]);
  });
});
