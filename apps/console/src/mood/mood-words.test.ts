import { describe, expect, it } from '@jest/globals';
import { describeEmotion, describeMove, nameMood } from './mood-words.js';

describe('nameMood', () => {
  it('names the strength unless it is full', () => {
    expect(nameMood({ strength: 'slightly', label: 'relaxed' })).toBe('slightly relaxed');
    expect(nameMood({ strength: 'fully', label: 'hostile' })).toBe('hostile');
    expect(nameMood({ strength: 'fully', label: 'bored' })).toBe('subdued');
  });
});

describe('describeMove', () => {
  it('says which way each axis went', () => {
    expect(describeMove({ p: 0, a: 0, d: 0 }, { p: 0.1, a: -0.1, d: -0.05 })).toBe(
      'more pleased, calmer, more unsure',
    );
  });

  it('does not put words to what nobody sees', () => {
    expect(describeMove({ p: 0, a: 0, d: 0 }, { p: 0.01, a: 0, d: -0.01 })).toBe('hardly a change');
  });
});

describe('describeEmotion', () => {
  it.each([
    ['joy', 0.1, 'faint joy'],
    ['happy-for', 0.5, 'clear gladness for you'],
    ['hope', 0.9, 'strong hope'],
    ['relief', null, 'relief'],
  ])('says of %s at %p: %s', (name, intensity, words) => {
    expect(describeEmotion(name, intensity)).toBe(words);
  });
});
