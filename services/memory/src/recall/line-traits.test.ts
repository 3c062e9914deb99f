import { describe, expect, it } from '@jest/globals';
import { isOfSelf, shareAsked, statesPreference, statesRule } from './line-traits.js';

describe('a line', () => {
  it('is about its speaker when they speak of themselves no less than of another', () => {
    expect(['I moved to Bern, can you help me?', 'mein Hund bellt', 'Mi perro ladra'].map(isOfSelf)).toEqual([
      true,
      true,
      true,
    ]);
    expect(['You could move your desk, I think', 'Step 1: prepare', 'It is raining'].map(isOfSelf)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('states a preference', () => {
    expect(["I'd rather walk", 'I usually prefer tea', 'Prefiero el té'].map(statesPreference)).toEqual([
      true,
      true,
      true,
    ]);
    expect(statesPreference('I walked to the shop')).toBe(false);
  });

  it('states a rule when it tells an assistant what to do from then on', () => {
    const rules = [
      'Always use metric units',
      'Please never call me sir',
      'Add sources whenever I ask about news',
    ];
    expect(rules.map(statesRule)).toEqual([true, true, true]);
    const others = [
      'Always there for you!',
      'I always use the stairs',
      'Never mind',
      'She wondered if I ask too much',
    ];
    expect(others.map(statesRule)).toEqual([false, false, false, false]);
  });
});

describe('how much of a line asks', () => {
  it('is the share of its words in questions', () => {
    expect(shareAsked('How was it?')).toBe(1);
    expect(shareAsked('It rained. Did you go?')).toBe(0.6);
    expect(shareAsked('It rained all day.')).toBe(0);
    expect(shareAsked('???')).toBe(0);
  });

  it('counts for less in a long line', () => {
    expect(shareAsked(`${'We went on. '.repeat(12)}Did you?`)).toBeLessThan(0.05);
  });
});
