import { describe, expect, it } from '@jest/globals';
import { textForRules, trimEndOf } from './plain-text.js';

describe('textForRules', () => {
  it('makes one space of each run of white space, and keeps line breaks', () => {
    expect(textForRules('  a \t  b\r\n\n  c\u00a0\u2003d ')).toBe('a b\nc d');
  });

  it('reads no more than its cap, and never half a character', () => {
    expect(textForRules('x'.repeat(10_000))).toHaveLength(4_000);
    expect(textForRules('abc😀', 4)).toBe('abc');
  });
});

describe('trimEndOf', () => {
  it('takes marks and white space off the end alone', () => {
    expect(trimEndOf('a. b . !\n', '.!')).toBe('a. b');
    expect(trimEndOf(' .. ', '.')).toBe('');
  });
});
