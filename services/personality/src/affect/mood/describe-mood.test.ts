import { describe, expect, it } from '@jest/globals';
import { describeMet, describeMood } from './describe-mood.js';

describe('describing a mood', () => {
  it.each([
    ['exuberant', 0.2, 0.2, 0.2],
    ['dependent', 0.2, 0.2, -0.2],
    ['relaxed', 0.2, -0.2, 0.2],
    ['docile', 0.2, -0.2, -0.2],
    ['bored', -0.2, -0.2, -0.2],
    ['disdainful', -0.2, -0.2, 0.2],
    ['anxious', -0.2, 0.2, -0.2],
    ['hostile', -0.2, 0.2, 0.2],
  ])('calls it %s by its octant', (label, p, a, d) => {
    expect(describeMood({ p, a, d }).label).toBe(label);
  });

  it.each([
    ['slightly', 0.577],
    ['moderately', 0.578],
    ['moderately', 0.99],
  ])('calls it %s at length %d along one axis', (strength, p) => {
    expect(describeMood({ p, a: 0, d: 0 }).strength).toBe(strength);
  });

  it.each([
    ['of an average person', 0, 0, 0],
    ['that a word has hardly moved', -0.03, 0.02, 0.01],
  ])('has none of the eight names for one in the middle: %s', (_, p, a, d) => {
    expect(describeMood({ p, a, d })).toMatchObject({ label: 'balanced', strength: 'evenly' });
  });

  it('calls it fully past two thirds of the half diagonal', () => {
    expect(describeMood({ p: 0.7, a: 0.7, d: 0.7 }).strength).toBe('fully');
  });

  it.each([
    ['tense', 'nobody bears a grudge', 0.4, 0],
    ['hostile', 'there is tension', 0.4, 0.2],
    ['hostile', 'that is its nature', -0.2, 0],
  ])('calls it %s as it is met where %s', (label, _, p, tension) => {
    const baseline = { p, a: 0, d: 0.3 };
    expect(describeMet({ p: -0.2, a: 0.2, d: 0.2 }, { baseline, tension }).label).toBe(label);
  });
});
