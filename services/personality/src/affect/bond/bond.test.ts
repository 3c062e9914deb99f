import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EMOTIONS, type Emotion, type EmotionName } from '../mood/emotions.js';
import { type Bond, bondAt, STRANGERS, bondView } from './bond.js';
import { afterTurn } from './after-turn.js';

const DAY = 24 * 3_600_000;
const kind: Emotion = { name: 'gratitude', intensity: 0.6 };
const harsh: Emotion = { name: 'anger', intensity: 0.8 };

const emotion: fc.Arbitrary<Emotion> = fc.record({
  name: fc.constantFrom(...(Object.keys(EMOTIONS) as EmotionName[])),
  intensity: fc.double({ min: 0.05, max: 1, noNaN: true }),
});

const after = (turns: number, emotions: Emotion[]): Bond =>
  Array.from({ length: turns }).reduce<Bond>((bond, _, n) => afterTurn(bond, emotions, n), STRANGERS);

describe('the bond', () => {
  it('grows familiar with each turn, each time by less', () => {
    const steps = [0, 1, 2, 50].map(
      (turns) => after(turns + 1, []).familiarity - after(turns, []).familiarity,
    );
    expect(steps).toEqual([...steps].sort((one, other) => other - one));
    expect(steps.at(-1)).toBeGreaterThan(0);
  });

  it('warms to thanks and cools at insults', () => {
    expect(after(5, [{ name: 'gratitude', intensity: 0.6 }]).affection).toBeGreaterThan(0.55);
    expect(after(5, [{ name: 'anger', intensity: 0.6 }]).affection).toBeLessThan(0.45);
  });

  it('loses trust faster than it gains it', () => {
    const gained = after(1, [{ name: 'love', intensity: 1 }]).trust - STRANGERS.trust;
    const lost = STRANGERS.trust - after(1, [{ name: 'anger', intensity: 1 }]).trust;
    expect(lost).toBeGreaterThan(2 * gained);
  });

  it('trusts a little more when someone shares a sorrow', () => {
    expect(after(1, [{ name: 'pity', intensity: 0.8 }]).trust).toBeGreaterThan(STRANGERS.trust);
  });

  it('stays within its scales whatever happens', () => {
    fc.assert(
      fc.property(fc.array(fc.array(emotion, { maxLength: 4 }), { maxLength: 200 }), (turns) => {
        const bond = turns.reduce((before, emotions, n) => afterTurn(before, emotions, n), STRANGERS);
        const { familiarity, affection, trust, tension, sentiment } = bond;
        expect(Math.abs(sentiment)).toBeLessThanOrEqual(1);
        return [familiarity, affection, trust, tension].every((value) => value >= 0 && value <= 1);
      }),
    );
  });

  it('keeps the earliest meeting and the latest word when history comes in late', () => {
    const bond = afterTurn(afterTurn(STRANGERS, [], 1_000), [], 400);
    expect(bondView(bond, 1_000, [])).toMatchObject({
      interactions: 2,
      firstMetAt: new Date(400).toISOString(),
      lastSpokeAt: new Date(1_000).toISOString(),
    });
  });
});

describe('tension', () => {
  const quarrel = after(2, [harsh]);

  it('strains the bond after two harsh exchanges, and passes in some days', () => {
    expect(after(1, [harsh])).toMatchObject({ strained: false });
    expect(bondView(quarrel, 1, []).stage).toBe('strained');
    expect(bondAt(quarrel, 2 * DAY).tension).toBeCloseTo(quarrel.tension / 2, 6);
    expect(bondView(quarrel, 3 * DAY, []).stage).toBe('stranger');
  });

  it('is eased by kindness sooner than by time', () => {
    const madeUp = [1, 2, 3].reduce((bond, n) => afterTurn(bond, [kind], n), quarrel);
    expect(madeUp.strained).toBe(false);
    expect(madeUp.tension).toBeLessThan(quarrel.tension / 1.5);
  });

  it('that has passed by itself strains the bond anew only after two harsh exchanges', () => {
    expect(afterTurn(quarrel, [harsh], 10 * DAY).strained).toBe(false);
    expect(afterTurn(quarrel, [harsh], DAY / 2).strained).toBe(true);
  });

  it('does not come from harsh words of long ago', () => {
    const before = afterTurn(STRANGERS, [], 400 * DAY);
    expect(afterTurn(before, [harsh], DAY).tension).toBeLessThan(0.001);
  });
});

describe('sentiment', () => {
  it('follows how the last exchanges were', () => {
    const kindly = after(30, [kind]);
    expect(kindly.sentiment).toBeGreaterThan(0.4);
    const turned = Array.from({ length: 20 }).reduce<Bond>((bond) => afterTurn(bond, [harsh], 30), kindly);
    expect(turned.sentiment).toBeLessThan(-0.4);
  });
});

describe('stages and milestones', () => {
  it('come with exchanges: acquainted after a handful, friends after weeks of good ones', () => {
    expect([1, 6, 60].map((turns) => after(turns, [kind]).stage)).toEqual([
      'stranger',
      'acquaintance',
      'friend',
    ]);
    expect(after(400, [kind]).stage).toBe('close-friend');
    expect(after(400, [{ name: 'reproach', intensity: 0.5 }]).stage).not.toBe('close-friend');
  });

  it('are right at once for a pair whose row is older than stages', () => {
    const old: Bond = { ...STRANGERS, familiarity: 0.9, affection: 0.8, trust: 0.7, interactions: 200 };
    expect(bondView(old, 0, []).stage).toBe('close-friend');
  });

  it('tell the first meeting, the tenth and the hundredth exchange, each once', () => {
    const { milestones } = bondView(after(120, []), 120, []);
    expect(milestones).toEqual([
      { kind: 'first-meeting', at: new Date(0).toISOString() },
      { kind: 'exchanges-10', at: new Date(9).toISOString() },
      { kind: 'exchanges-100', at: new Date(99).toISOString() },
    ]);
  });

  it('tell a year with the first exchange after it', () => {
    const met = afterTurn(STRANGERS, [], 0);
    const later = afterTurn(afterTurn(met, [], 366 * DAY), [], 367 * DAY);
    expect(later.milestones).toEqual([{ kind: 'a-year', at: 366 * DAY }]);
  });
});
