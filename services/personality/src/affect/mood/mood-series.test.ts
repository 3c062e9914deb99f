import type { MoodPoint, Pad } from '@kith/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_POINTS, moodSeries, type MoodEvent } from './mood-series.js';
import { ORIGIN } from './pad.js';

const HOUR = 3_600_000;
const baseline: Pad = { p: 0.4, a: 0, d: 0.3 };
const temperament = { baseline, halfLifeMs: 6 * HOUR };

const event = (at: number, p: number, change: Partial<MoodEvent> = {}): MoodEvent => ({
  at,
  seenAt: at,
  shared: { ...baseline, p },
  offset: null,
  felt: { emotion: 'joy', intensity: 0.5 },
  ...change,
});

const series = (events: MoodEvent[], hours = 24): MoodPoint[] =>
  moodSeries({ from: 0, to: hours * HOUR, temperament, events, pullAt: () => ORIGIN });

const times = (points: MoodPoint[]) => points.map(({ at }) => Date.parse(at));

describe('the course of a mood', () => {
  it('is the baseline when nothing happened', () => {
    const points = series([]);
    expect(points.every(({ pad }) => pad.p === baseline.p)).toBe(true);
    expect(times(points)[0]).toBe(0);
    expect(times(points).at(-1)).toBe(24 * HOUR);
  });

  it('jumps at an event and halves its distance to the baseline in a half-life', () => {
    const points = series([event(6 * HOUR, 0.8)]);
    const jump = points.findIndex(({ emotion }) => emotion === 'joy');
    expect(points[jump]?.pad.p).toBeCloseTo(0.8, 12);
    expect(points[jump - 1]).toMatchObject({ at: points[jump]?.at, pad: baseline, emotion: null });
    const end = points.at(-1);
    expect(end?.pad.p).toBeCloseTo(0.4 + 0.4 / 8, 12);
  });

  it('begins where an earlier event left it', () => {
    const points = series([event(-6 * HOUR, 0.8)]);
    expect(points[0]?.pad.p).toBeCloseTo(0.6, 12);
    expect(points.every(({ emotion }) => emotion === null)).toBe(true);
  });

  it('shows of somebody else the mood alone, from when it is seen, as faded as it is by then', () => {
    const points = series([event(2.2 * HOUR, 0.8, { seenAt: 3 * HOUR, felt: null })]);
    expect(points.every(({ emotion, intensity }) => emotion === null && intensity === null)).toBe(true);
    for (const { at, pad } of points) {
      const hours = Date.parse(at) / HOUR;
      expect(pad.p).toBeCloseTo(hours < 3 ? 0.4 : 0.4 + 0.4 * 2 ** (-(hours - 2.2) / 6), 6); // times are whole milliseconds
    }
  });

  it('adds the offset of the person it is drawn for, which fades too', () => {
    const points = series([event(12 * HOUR, 0.5, { offset: { p: -0.2, a: 0, d: 0 } })]);
    expect(points.find(({ emotion }) => emotion)?.pad.p).toBeCloseTo(0.3, 12);
    expect(points.at(-1)?.pad.p).toBeCloseTo(0.4 + 0.1 / 4 - 0.2 / 4, 12);
  });

  it('adds what needs add, at each time', () => {
    const pullAt = (time: number) => ({ ...ORIGIN, a: -time / (240 * HOUR) });
    const points = moodSeries({ from: 0, to: 24 * HOUR, temperament, events: [], pullAt });
    expect(points[0]?.pad.a).toBeCloseTo(0, 12);
    expect(points.at(-1)?.pad.a).toBeCloseTo(-0.1, 12);
  });

  it('is empty for a period that ends before it begins', () => {
    expect(moodSeries({ from: 10, to: 5, temperament, events: [], pullAt: () => ORIGIN })).toEqual([]);
  });

  it('stays bounded and in order however much happened, and ends at the true mood', () => {
    const many = fc.array(
      fc.record({
        at: fc.integer({ min: -HOUR, max: 25 * HOUR }),
        p: fc.double({ min: -1, max: 1, noNaN: true }),
      }),
      { maxLength: 500 },
    );
    fc.assert(
      fc.property(many, (raw) => {
        const events = raw.sort((one, other) => one.at - other.at).map(({ at, p }) => event(at, p));
        const points = series(events);
        expect(points.length).toBeLessThanOrEqual(MAX_POINTS);
        const at = times(points);
        expect(at).toEqual([...at].sort((one, other) => one - other));
        const last = events.filter((one) => one.at <= 24 * HOUR).at(-1);
        const expected = last
          ? 0.4 + (last.shared.p - 0.4) * 2 ** (-(24 * HOUR - last.at) / (6 * HOUR))
          : 0.4;
        expect(points.at(-1)?.pad.p).toBeCloseTo(expected, 9);
      }),
      { numRuns: 60 },
    );
    expect(MAX_POINTS).toBeLessThanOrEqual(200);
  });
});
