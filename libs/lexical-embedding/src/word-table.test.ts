import { describe, expect, it } from '@jest/globals';
import { readWords } from './lexical-words.js';
import { toUnitLength } from './unit-length.js';
import { sumMeanings } from './word-table.js';

const meaning = (text: string) => toUnitLength(sumMeanings(readWords(text)));
const alike = (one: string, other: string) => {
  const vector = meaning(other);
  return meaning(one).reduce((sum, value, at) => sum + value * vector[at]!, 0);
};

describe('the word table', () => {
  it.each([
    ['dog', 'puppy', 'economy'],
    ['doctor', 'nurse', 'guitar'],
    ['happy', 'glad', 'cement'],
    ['berlin', 'munich', 'butter'],
  ])('knows %s as nearer to %s than to %s', (word, near, far) => {
    expect(alike(word, near)).toBeGreaterThan(0.5);
    expect(alike(word, far)).toBeLessThan(0.2);
  });

  it('knows no stop word and nothing that is no English word', () => {
    for (const text of ['', 'the and of', 'Donaudampfschifffahrt qwxzv', '我的狗', '🎉', '\u0000'])
      expect(sumMeanings(readWords(text)).every((value) => value === 0)).toBe(true);
  });

  it('counts a word once, and a rare one more than a common one', () => {
    expect(sumMeanings(readWords('dog dog dog'))).toEqual(sumMeanings(readWords('dog')));
    expect(alike('people kayak', 'kayak')).toBeGreaterThan(alike('people kayak', 'people'));
  });
});
