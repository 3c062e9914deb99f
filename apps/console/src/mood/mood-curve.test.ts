import { describe, expect, it } from '@jest/globals';
import { HOUR_MS } from '@kith/contracts';
import { moodAt, sampleCourse, withLiveMood, type MoodCourse, type MoodStep } from './mood-curve.js';

const T0 = Date.parse('2026-05-01T10:00:00.000Z');
const step = (hours: number, p: number): MoodStep => ({
  at: new Date(T0 + hours * HOUR_MS).toISOString(),
  pad: { p, a: 0, d: 0 },
  emotion: 'joy',
  intensity: 0.5,
});
const course: MoodCourse = {
  companionId: 'mira',
  now: { pad: { p: 0.4, a: 0, d: 0 }, label: 'relaxed', strength: 'slightly' },
  baseline: { p: 0.2, a: 0, d: 0 },
  halfLifeMs: 2 * HOUR_MS,
  series: [step(0, 0.6), step(4, 0.5)],
  bond: null,
};

describe('moodAt', () => {
  it('is the baseline before anything happened', () => {
    expect(moodAt(course, T0 - 1)).toEqual(course.baseline);
  });

  it('halves the distance to the baseline with each half-life', () => {
    expect(moodAt(course, T0 + 2 * HOUR_MS).p).toBeCloseTo(0.4);
    expect(moodAt(course, T0 + 3.999_999 * HOUR_MS).p).toBeCloseTo(0.3);
    expect(moodAt(course, T0 + 4 * HOUR_MS).p).toBeCloseTo(0.5);
  });
});

describe('sampleCourse', () => {
  const samples = sampleCourse(course, T0 - HOUR_MS, T0 + 5 * HOUR_MS, 7);

  it('is in order of time and spans the period', () => {
    const times = samples.map(({ atMs }) => atMs);
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect([times[0], times.at(-1)]).toEqual([T0 - HOUR_MS, T0 + 5 * HOUR_MS]);
  });

  it('draws each step as an upright jump', () => {
    const at = (atMs: number): number[] =>
      samples.filter((sample) => sample.atMs === atMs).map(({ pad }) => Number(pad.p.toFixed(3)));
    expect(at(T0)).toEqual([0.2, 0.6]);
    expect(at(T0 + 4 * HOUR_MS)).toEqual([0.3, 0.5]);
  });
});

describe('withLiveMood', () => {
  it('ends the course in the mood just heard of', () => {
    const now = { pad: { p: -0.1, a: 0.2, d: 0 }, label: 'anxious', strength: 'slightly' };
    const live = withLiveMood(course, now, new Date(T0 + 5 * HOUR_MS));
    expect(live.now).toBe(now);
    expect(moodAt(live, T0 + 5 * HOUR_MS).p).toBeCloseTo(-0.1);
  });
});
