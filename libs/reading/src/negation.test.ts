import { describe, expect, it } from '@jest/globals';
import { isNegated, isNegation } from './negation.js';
import { readWords } from './plain-words.js';

/** True when the last word of a text is denied. */
const isLastNegated = (text: string): boolean => {
  const words = readWords(text);
  return isNegated(words, words.length - 1);
};

describe('a negation', () => {
  it.each([
    "I don't like",
    'I would not say that I like',
    'never ever happy',
    'I have never been happy',
    "I've never been as happy",
    'she is not a very good friend',
    "I don't believe that I like",
    'never believe that I am happy',
    'no more happy',
    'no one is happy',
    'no I never liked',
    'nah i never loved',
  ])('reaches the end of %j', (text) => expect(isLastNegated(text)).toBe(true));

  it.each([
    'I like',
    'not this time because weather turned cold',
    "I can't believe it happened",
    "I've never been so happy",
    'never felt more loved',
    "you won't believe how happy",
    "my mum won't believe how happy",
    'could not believe I won',
    'nah i love',
    'oh no it is great',
    "you're not only kind",
    "no doubt you're great",
    "I can't help but love",
    "she won't stop shouting",
    "I can't wait to hug",
    "I can't help loving",
    'not gonna lie that helped',
    'not even kidding it helped',
  ])('does not reach the end of %j', (text) => expect(isLastNegated(text)).toBe(false));

  it('is a word by itself', () => {
    expect(readWords("I couldn't, never").filter(isNegation)).toEqual(['not', 'never']);
  });
});
