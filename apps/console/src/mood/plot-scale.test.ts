import { describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '@kith/contracts';
import type { MoodStep } from './mood-curve.js';
import { chooseSpan, plotReach } from './plot-scale.js';

const NOW = Date.parse('2026-05-08T10:00:00.000Z');
const step = (agoMs: number, emotion: string | null = 'joy'): MoodStep => ({
  at: new Date(NOW - agoMs).toISOString(),
  pad: { p: 0.1, a: 0, d: 0 },
  emotion,
  intensity: 0.5,
});

describe('chooseSpan', () => {
  it('shows all that moved the mood in the shortest span', () => {
    const spanFrom = (agoMs: number): string => chooseSpan([step(agoMs), step(60_000)], NOW).id;
    expect([61_000, 0.5 * HOUR_MS, 5 * HOUR_MS, 72 * HOUR_MS, 1_000 * HOUR_MS].map(spanFrom)).toEqual([
      'minutes',
      'hour',
      'day',
      'week',
      'week',
    ]);
  });

  it('does not count what only time did', () => {
    expect(chooseSpan([step(72 * HOUR_MS, null), step(60_000)], NOW).id).toBe('minutes');
    expect(chooseSpan([], NOW).id).toBe('day');
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
