import { describe, expect, it } from '@jest/globals';
import type { MoodStep } from './mood-curve.js';
import { chooseSpan, momentsIn, plotReach, SPAN_MS } from './plot-scale.js';

const NOW = Date.parse('2026-05-08T10:00:00.000Z');
const step = (agoMs: number, emotion: string | null = 'joy'): MoodStep => ({
  at: new Date(NOW - agoMs).toISOString(),
  pad: { p: 0.1, a: 0, d: 0 },
  emotion,
  intensity: 0.5,
});

describe('chooseSpan', () => {
  it('shows all that moved the mood in the shortest span', () => {
    expect(chooseSpan([step(60_000)], NOW)).toBe('hour');
    expect(chooseSpan([step(5 * SPAN_MS.hour), step(60_000)], NOW)).toBe('day');
    expect(chooseSpan([step(3 * SPAN_MS.day), step(60_000)], NOW)).toBe('week');
  });

  it('does not count what only time did', () => {
    expect(chooseSpan([step(3 * SPAN_MS.day, null), step(60_000)], NOW)).toBe('hour');
    expect(chooseSpan([], NOW)).toBe('day');
  });
});

describe('plotReach', () => {
  const baseline = { p: 0.4, a: 0, d: 0 };

  it('reaches as far as the farthest sample', () => {
    expect(plotReach(baseline, [{ pad: { p: -0.2, a: 0.1, d: 0 } }])).toBeCloseTo(0.6);
  });

  it('does not blow jitter up', () => {
    expect(plotReach(baseline, [{ pad: { p: 0.41, a: 0, d: 0 } }])).toBe(0.25);
  });
});

describe('momentsIn', () => {
  it('puts the emotions of one turn into one moment and leaves the rest of time out', () => {
    const series = [step(3_000, 'joy'), step(2_000, 'joy'), step(2_000, 'pride'), step(1_000, null)];
    const moments = momentsIn(series, NOW - 2_500, NOW);
    expect(moments.map(({ emotions }) => emotions.map(({ name }) => name))).toEqual([['joy', 'pride']]);
  });
});
