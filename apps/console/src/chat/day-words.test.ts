import { describe, expect, it } from '@jest/globals';
import { dayWords } from './day-words.js';

const now = new Date(2026, 4, 12, 0, 30);

describe('dayWords', () => {
  it.each([
    ['Today', new Date(2026, 4, 12, 0, 5)],
    ['Yesterday', new Date(2026, 4, 11, 23, 59)],
    ['Sunday 10 May', new Date(2026, 4, 10, 12)],
    ['Saturday 10 May 2025', new Date(2025, 4, 10, 12)],
  ])('says %s', (words, then) => {
    expect(dayWords(then.toISOString(), now).replace(',', '')).toBe(words);
  });
});
