import { NeedName } from '@kith/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EMOTIONS, type Emotion, type EmotionName } from '../mood/emotions.js';
import { needsAfterTurn, needsAt, type NeedLevels, INITIAL_LEVELS, MET_BY, needSettings } from './needs.js';
import { MAX_NEED_PULL, needPull, needViews, urgencyOf } from './need-pull.js';

const DAY = 24 * 3_600_000;
const ROUNDING = 1e-9;
const usual = needSettings();

const share = fc.double({ min: 0, max: 1, noNaN: true });
const levels = fc.record(
  Object.fromEntries(NeedName.options.map((need) => [need, share])),
) as unknown as fc.Arbitrary<NeedLevels>;
const emotion: fc.Arbitrary<Emotion> = fc.record({
  name: fc.constantFrom(...(Object.keys(EMOTIONS) as EmotionName[])),
  intensity: fc.double({ min: 0.05, max: 1, noNaN: true }),
});
const inRange = (of: NeedLevels) => Object.values(of).every((level) => level >= 0 && level <= 1);

describe('needs left to themselves', () => {
  it('grow towards wholly unmet, and rest comes back', () => {
    const later = needsAt({ levels: { ...INITIAL_LEVELS, rest: 0.8 }, at: 0 }, usual, DAY);
    for (const need of NeedName.options.filter((one) => one !== 'rest')) {
      expect(later[need]).toBeGreaterThan(INITIAL_LEVELS[need]);
      expect(later[need]).toBeLessThan(0.5);
    }
    expect(later.rest).toBeLessThan(0.05);
  });

  it('come to the same whether computed at once or in steps', () => {
    fc.assert(
      fc.property(levels, fc.nat(30 * DAY), fc.nat(30 * DAY), (start, one, two) => {
        const between = { levels: needsAt({ levels: start, at: 0 }, usual, one), at: one };
        const inSteps = needsAt(between, usual, one + two);
        const atOnce = needsAt({ levels: start, at: 0 }, usual, one + two);
        return NeedName.options.every((need) => Math.abs(inSteps[need] - atOnce[need]) < ROUNDING);
      }),
    );
  });

  it('are as they were when asked about a time before', () => {
    expect(needsAt({ levels: INITIAL_LEVELS, at: 10 * DAY }, usual, 0)).toEqual(INITIAL_LEVELS);
  });
});

describe('a turn', () => {
  const after = (name: EmotionName) => needsAfterTurn(INITIAL_LEVELS, [{ name, intensity: 0.8 }]);

  it('is company, whatever is felt in it', () => {
    expect(needsAfterTurn(INITIAL_LEVELS, []).belonging).toBeLessThan(INITIAL_LEVELS.belonging);
    expect(needsAfterTurn(INITIAL_LEVELS, []).rest).toBeGreaterThan(INITIAL_LEVELS.rest);
  });

  it('keeps every need from pressing where there is plain talk every day, and no longer than that', () => {
    let state = { levels: INITIAL_LEVELS, at: 0 };
    for (let day = 1; day <= 90; day += 1) {
      const levels = Array.from({ length: 8 }).reduce<NeedLevels>(
        (before) => needsAfterTurn(before, []),
        needsAt(state, usual, day * DAY),
      );
      state = { levels, at: day * DAY };
    }
    const urgencyAfter = (days: number) =>
      needViews(needsAt(state, usual, (90 + days) * DAY), usual).map(({ urgency }) => urgency);
    // A prompt mentions a need from 0.12 on (`mood-block.ts`).
    expect(Math.max(...urgencyAfter(1))).toBeLessThan(0.12);
    expect(Math.max(...urgencyAfter(14))).toBeGreaterThan(0.45);
  });

  it('meets the need that its emotions speak to', () => {
    expect(after('pity').care).toBeLessThan(INITIAL_LEVELS.care * 0.7);
    expect(after('liking').novelty).toBeLessThan(INITIAL_LEVELS.novelty * 0.8);
    expect(after('gratification').competence).toBeLessThan(INITIAL_LEVELS.competence * 0.6);
    expect(after('joy').play).toBeLessThan(INITIAL_LEVELS.play * 0.7);
    expect(after('pride').autonomy).toBeLessThan(INITIAL_LEVELS.autonomy * 0.8);
  });

  it('goes against a need where the companion was treated badly or failed', () => {
    expect(after('anger').autonomy).toBeGreaterThan(INITIAL_LEVELS.autonomy);
    expect(after('shame').competence).toBeGreaterThan(INITIAL_LEVELS.competence);
  });

  it('knows every emotion, and every need is met by some', () => {
    expect(Object.keys(MET_BY).sort()).toEqual(Object.keys(EMOTIONS).sort());
    for (const need of NeedName.options) {
      expect(Object.values(MET_BY).some((met) => (met[need] ?? 0) > 0)).toBe(true);
    }
  });

  it('stays in range, and its emotions count alike in any order', () => {
    const shuffled = fc
      .array(emotion, { maxLength: 5 })
      .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
    fc.assert(
      fc.property(levels, shuffled, (start, [emotions, reordered]) => {
        const one = needsAfterTurn(start, emotions);
        const other = needsAfterTurn(start, reordered);
        return inRange(one) && NeedName.options.every((need) => Math.abs(one[need] - other[need]) < ROUNDING);
      }),
    );
  });
});

describe('urgency', () => {
  it('is nothing for a need that is nearly met, and its weight for one that is wholly unmet', () => {
    expect(urgencyOf(0.4, 1)).toBe(0);
    expect(urgencyOf(1, 0.6)).toBeCloseTo(0.6, 12);
    expect(urgencyOf(0.7, 1)).toBeCloseTo(0.25, 12);
    expect(urgencyOf(1, 0)).toBe(0);
  });

  it('is little after a week without, and presses after two, by the usual settings', () => {
    // The scheduler writes for a need from 0.45 on (`choose-need.ts`).
    const met = Object.fromEntries(NeedName.options.map((need) => [need, 0])) as NeedLevels;
    const after = (days: number) => {
      const views = needViews(needsAt({ levels: met, at: 0 }, usual, days * DAY), usual);
      return Object.fromEntries(views.map(({ need, urgency }) => [need, Number(urgency.toFixed(2))]));
    };
    expect(after(7)).toMatchObject({ novelty: 0.38, play: 0.25, belonging: 0.21 });
    expect(after(14)).toMatchObject({ novelty: 0.57, belonging: 0.48, play: 0.45 });
  });

  it('puts the most urgent need first', () => {
    const [first, ...rest] = needViews({ ...INITIAL_LEVELS, novelty: 0.9 }, usual);
    expect(first).toMatchObject({ need: 'novelty', level: 0.9 });
    expect(rest).toHaveLength(NeedName.options.length - 1);
  });
});

describe('the pull on the mood', () => {
  it('is nothing while nothing presses', () => {
    expect(needPull(INITIAL_LEVELS, usual)).toEqual({ p: 0, a: 0, d: 0 });
  });

  it('is bounded on each axis, however unmet everything is', () => {
    const heavy = needSettings(
      Object.fromEntries(NeedName.options.map((need) => [need, { perDay: 1, weight: 1 }])),
    );
    fc.assert(
      fc.property(levels, (of) =>
        Object.values(needPull(of, heavy)).every((pull) => Math.abs(pull) <= MAX_NEED_PULL),
      ),
    );
  });

  it('dulls a companion that hears nothing new, and calms a tired one', () => {
    expect(needPull({ ...INITIAL_LEVELS, novelty: 1 }, usual).a).toBeLessThan(-0.05);
    expect(needPull({ ...INITIAL_LEVELS, rest: 1 }, usual).a).toBeLessThan(-0.05);
  });
});

describe('the settings of a persona', () => {
  it('are the usual ones where it says nothing', () => {
    const settings = needSettings({ novelty: { perDay: 0.8 } });
    expect(settings.novelty).toEqual({ perDay: 0.8, weight: usual.novelty.weight });
    expect(settings.play).toEqual(usual.play);
  });
});
