import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { baselineOf } from './baseline-of.js';
import { describeMood } from './describe-mood.js';

/** Mehrabian's traits in [-1, 1] as the sliders of a persona file. */
const slider = (trait: number) => (trait + 1) / 2;

const trait = fc.double({ min: 0, max: 1, noNaN: true });

describe('the baseline mood', () => {
  it('is the reference vector for the reference traits', () => {
    const pad = baselineOf({
      openness: slider(0.4),
      conscientiousness: slider(0.8),
      extraversion: slider(0.6),
      agreeableness: slider(0.3),
      stability: slider(0.4),
    });
    expect(pad.p).toBeCloseTo(0.38, 2);
    expect(pad.a).toBeCloseTo(-0.08, 2);
    expect(pad.d).toBeCloseTo(0.5, 2);
    expect(describeMood(pad).label).toBe('relaxed');
  });

  it('is the middle of the space for the average person', () => {
    const average = {
      openness: 0.5,
      conscientiousness: 0.5,
      extraversion: 0.5,
      agreeableness: 0.5,
      stability: 0.5,
    };
    expect(Object.values(baselineOf(average)).map(Math.abs)).toEqual([0, 0, 0]);
  });

  it('is calmer and more pleasant the more stable the character is', () => {
    const traits = { openness: 0.5, conscientiousness: 0.5, extraversion: 0.5, agreeableness: 0.5 };
    const shaky = baselineOf({ ...traits, stability: 0.1 });
    const steady = baselineOf({ ...traits, stability: 0.9 });
    expect(steady.p).toBeGreaterThan(shaky.p);
    expect(steady.a).toBeLessThan(shaky.a);
  });

  it('never leaves the space', () => {
    fc.assert(
      fc.property(trait, trait, trait, trait, trait, (o, c, e, a, s) => {
        const pad = baselineOf({
          openness: o,
          conscientiousness: c,
          extraversion: e,
          agreeableness: a,
          stability: s,
        });
        return Object.values(pad).every((value) => Math.abs(value) <= 1);
      }),
    );
  });
});
