import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EMOTIONS, type Emotion, type EmotionName } from '../mood/emotions.js';
import { afterTurn, type Bond, bondView, STRANGERS } from './bond.js';

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
        return [bond.familiarity, bond.affection, bond.trust].every((value) => value >= 0 && value <= 1);
      }),
    );
  });

  it('keeps the earliest meeting and the latest word when history comes in late', () => {
    const bond = afterTurn(afterTurn(STRANGERS, [], 1_000), [], 400);
    expect(bondView(bond)).toMatchObject({
      interactions: 2,
      firstMetAt: new Date(400).toISOString(),
      lastSpokeAt: new Date(1_000).toISOString(),
    });
  });
});
