import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isStrained, nextStage, STAGES } from './bond.js';

const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('the stage of a bond', () => {
  it('is reached one way and lost another, so that an edge is no flicker', () => {
    expect(nextStage('acquaintance', 0.3)).toBe('acquaintance');
    expect(nextStage('acquaintance', 0.36)).toBe('friend');
    expect(nextStage('friend', 0.3)).toBe('friend');
    expect(nextStage('friend', 0.27)).toBe('acquaintance');
  });

  it('may rise and fall by more than one step', () => {
    expect(nextStage('stranger', 0.7)).toBe('close-friend');
    expect(nextStage('close-friend', 0.03)).toBe('acquaintance');
    expect(nextStage('close-friend', 0)).toBe('stranger');
  });

  it('rests where it is while closeness does', () => {
    fc.assert(
      fc.property(fc.constantFrom(...STAGES), share, (before, closeness) => {
        const once = nextStage(before, closeness);
        return nextStage(once, closeness) === once;
      }),
    );
  });
});

describe('strain', () => {
  it('begins high and ends low', () => {
    expect([0.4, 0.5].map((tension) => isStrained(false, tension))).toEqual([false, true]);
    expect([0.4, 0.29].map((tension) => isStrained(true, tension))).toEqual([true, false]);
  });
});
