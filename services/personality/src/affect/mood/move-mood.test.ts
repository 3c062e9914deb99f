import type { Pad } from '@kith/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EMOTIONS, type Emotion, type EmotionName } from './emotions.js';
import { decayed, feltMood, type Moods, moodsAt } from './mood-decay.js';
import { moveMood, MAX_CHANGE_PER_TURN, MAX_OFFSET, MAX_PERSON_INFLUENCE } from './move-mood.js';
import { minus, ORIGIN } from './pad.js';

const HOUR = 3_600_000;
/** Sums of doubles: bounds hold up to their rounding. */
const ROUNDING = 1e-9;

const unit = fc.double({ min: -1, max: 1, noNaN: true });
const pad: fc.Arbitrary<Pad> = fc.record({ p: unit, a: unit, d: unit });
const emotion: fc.Arbitrary<Emotion> = fc.record({
  name: fc.constantFrom(...(Object.keys(EMOTIONS) as EmotionName[])),
  intensity: fc.double({ min: 0.05, max: 1, noNaN: true }),
});
const turn = fc.record({
  emotions: fc.array(emotion, { minLength: 1, maxLength: 6 }),
  pauseMs: fc.integer({ min: 0, max: 48 * HOUR }),
});
const halfLifeMs = fc.integer({ min: 4 * HOUR, max: 12 * HOUR });

const largestAxis = (change: Pad) => Math.max(...Object.values(change).map(Math.abs));

describe('decay', () => {
  it('halves the distance to the baseline in a half-life', () => {
    const mood = { pad: { p: -0.6, a: 0.8, d: 0.1 }, at: 0 };
    const rest = { p: 0.4, a: 0, d: 0.1 };
    const later = decayed(mood, rest, 6 * HOUR, 6 * HOUR);
    expect(later.p).toBeCloseTo(-0.1, 12);
    expect(later.a).toBeCloseTo(0.4, 12);
    expect(later.d).toBeCloseTo(0.1, 12);
  });

  it('comes to the same whether computed at once or in steps', () => {
    fc.assert(
      fc.property(pad, pad, halfLifeMs, fc.nat(9e7), fc.nat(9e7), (start, rest, life, one, two) => {
        const between = decayed({ pad: start, at: 0 }, rest, life, one);
        const inSteps = decayed({ pad: between, at: one }, rest, life, one + two);
        const atOnce = decayed({ pad: start, at: 0 }, rest, life, one + two);
        return largestAxis(minus(inSteps, atOnce)) < ROUNDING;
      }),
    );
  });

  it('leaves a mood as it is when asked about a time before it', () => {
    const mood = { pad: { p: -0.6, a: 0.8, d: 0.1 }, at: 10 * HOUR };
    expect(decayed(mood, ORIGIN, HOUR, 0)).toEqual(mood.pad);
  });
});

describe('a turn', () => {
  it('pulls the mood toward its emotion', () => {
    const before = { shared: { p: 0.1, a: -0.1, d: 0.2 }, offset: ORIGIN };
    const after = moveMood(before, [{ name: 'gratification', intensity: 0.8 }]).at(-1);
    expect(after?.shared.p).toBeGreaterThan(0.1);
    expect(after?.shared.a).toBeGreaterThan(-0.1);
    expect(after?.offset.p).toBeGreaterThan(0);
  });

  it('pushes a mood that is beyond the emotion further along it', () => {
    const before = { shared: { p: 0.8, a: 0.4, d: 0.2 }, offset: ORIGIN };
    const after = moveMood(before, [{ name: 'joy', intensity: 0.5 }]).at(-1);
    expect(after?.shared.p).toBeGreaterThan(0.8);
  });

  it('changes what the person meets by no more than the cap, and never leaves the space', () => {
    fc.assert(
      fc.property(pad, fc.array(emotion, { minLength: 1, maxLength: 6 }), (shared, emotions) => {
        const before = { shared, offset: ORIGIN };
        for (const after of moveMood(before, emotions)) {
          expect(largestAxis(minus(feltMood(after), feltMood(before)))).toBeLessThanOrEqual(
            MAX_CHANGE_PER_TURN + ROUNDING,
          );
          expect(largestAxis(after.shared)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('is the same whenever it is computed again', () => {
    fc.assert(
      fc.property(pad, fc.array(emotion, { maxLength: 4 }), (shared, emotions) => {
        const before = { shared, offset: ORIGIN };
        expect(moveMood(before, emotions)).toEqual(moveMood(before, emotions));
      }),
    );
  });
});

describe('a person who goes on and on', () => {
  it('never holds the shared mood further from the baseline than one person may', () => {
    fc.assert(
      fc.property(pad, halfLifeMs, fc.array(turn, { maxLength: 60 }), (baseline, life, turns) => {
        let moods: Moods = { shared: baseline, offset: ORIGIN };
        for (const { emotions, pauseMs } of turns) {
          moods = afterPause(moods, baseline, life, pauseMs);
          moods = moveMood(moods, emotions).at(-1) ?? moods;
          expect(largestAxis(minus(moods.shared, baseline))).toBeLessThanOrEqual(
            MAX_PERSON_INFLUENCE + ROUNDING,
          );
          expect(largestAxis(moods.offset)).toBeLessThanOrEqual(MAX_OFFSET + ROUNDING);
        }
      }),
    );
  });

  it('is met colder than others are', () => {
    const baseline = { p: 0.38, a: -0.08, d: 0.5 };
    let moods: Moods = { shared: baseline, offset: ORIGIN };
    for (let n = 0; n < 100; n += 1)
      moods = moveMood(moods, [{ name: 'anger', intensity: 1 }]).at(-1) ?? moods;
    expect(moods.shared.p).toBeGreaterThanOrEqual(0.38 - MAX_PERSON_INFLUENCE - ROUNDING);
    expect(feltMood(moods).p).toBeLessThan(moods.shared.p - 0.25);
  });

  it('adds to what others did, and never more than their own part', () => {
    const people = fc.array(fc.tuple(fc.nat(2), turn), { maxLength: 60 });
    fc.assert(
      fc.property(pad, halfLifeMs, people, (baseline, life, turns) => {
        let shared = baseline;
        const offsets = [ORIGIN, ORIGIN, ORIGIN];
        for (const [who, { emotions, pauseMs }] of turns) {
          shared = afterPause({ shared, offset: ORIGIN }, baseline, life, pauseMs).shared;
          offsets.forEach((offset, n) => {
            offsets[n] = afterPause({ shared, offset }, baseline, life, pauseMs).offset;
          });
          const after = moveMood({ shared, offset: offsets[who] ?? ORIGIN }, emotions).at(-1);
          shared = after?.shared ?? shared;
          offsets[who] = after?.offset ?? ORIGIN;
          expect(largestAxis(minus(shared, baseline))).toBeLessThanOrEqual(
            3 * MAX_PERSON_INFLUENCE + ROUNDING,
          );
        }
      }),
    );
  });
});

function afterPause({ shared, offset }: Moods, baseline: Pad, life: number, pauseMs: number): Moods {
  return moodsAt({ pad: shared, at: 0 }, { pad: offset, at: 0 }, { baseline, halfLifeMs: life }, pauseMs);
}
