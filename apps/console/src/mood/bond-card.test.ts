import { describe, expect, it } from '@jest/globals';
import type { BondView } from '@kith/contracts';
import { describeBond } from './bond-card.js';

const strangers: BondView = {
  stage: 'stranger',
  familiarity: 0,
  affection: 0.5,
  trust: 0.5,
  tension: 0,
  sentiment: 0,
  milestones: [],
  jokes: [],
  interactions: 0,
  firstMetAt: null,
  lastSpokeAt: null,
};

describe('describeBond', () => {
  it('says what stands between friends', () => {
    const strained = { ...strangers, familiarity: 0.8, interactions: 90, stage: 'strained' as const };
    expect(describeBond(strained, 'Mira')).toBe(
      'You know each other inside out. There is tension between you just now; it passes.',
    );
  });

  it('claims nothing between strangers', () => {
    expect(describeBond(strangers, 'Mira')).toBe('You and Mira have not met yet.');
  });

  it('starts out neutral', () => {
    expect(describeBond({ ...strangers, familiarity: 0.02, interactions: 1 }, 'Mira')).toBe(
      'You have only just met. Mira is well disposed and gives you the benefit of the doubt.',
    );
  });

  it('has words for the ends of each scale', () => {
    const close = { ...strangers, familiarity: 1, affection: 1, trust: 1, interactions: 400 };
    expect(describeBond(close, 'Mira')).toBe(
      'You know each other inside out. Mira is very fond of you and trusts you without reserve.',
    );
    const cool = { ...close, affection: 0, trust: 0 };
    expect(describeBond(cool, 'Mira')).toContain('is keeping its distance and is on its guard');
  });
});
