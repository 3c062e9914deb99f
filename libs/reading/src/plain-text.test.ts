import { describe, expect, it } from '@jest/globals';
import { splitSentences, textForRules, trimEndOf } from './plain-text.js';

describe('textForRules', () => {
  it('makes one space of each run of white space, and keeps line breaks', () => {
    expect(textForRules('  a \t  b\r\n\n  c\u00a0\u2003d ')).toBe('a b\nc d');
  });

  it('reads no more than its cap, and never half a character', () => {
    expect(textForRules('x'.repeat(10_000))).toHaveLength(4_000);
    expect(textForRules('abc😀', 4)).toBe('abc');
  });
});

describe('splitSentences', () => {
  it.each([
    ['It is 3.50 at example.org. Is it?! Yes…', ['It is 3.50 at example.org.', 'Is it?!', 'Yes…']],
    ['Ask Dr. Roe in Washington D.C. today. Thanks', ['Ask Dr. Roe in Washington D.C. today.', 'Thanks']],
    ['one\n\ntwo \n three.  four ', ['one', 'two', 'three.', 'four']],
    ['我住在东京。你呢？好！', ['我住在东京。', '你呢？', '好！']],
    [' \n', []],
  ])('ends them at marks of every script, and at none within a word: %s', (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences);
  });

  it('knows ordinals where their language has them, and leaves out what is past the most', () => {
    const text = '\nAm 3. Mai. Ja. Nein.';
    expect(splitSentences(text)).toEqual(['Am 3.', 'Mai.', 'Ja.', 'Nein.']);
    expect(splitSentences(text, { most: 2, hasOrdinalDots: true })).toEqual(['Am 3. Mai.', 'Ja.']);
  });
});

describe('trimEndOf', () => {
  it('takes marks and white space off the end alone', () => {
    expect(trimEndOf('a. b . !\n', '.!')).toBe('a. b');
    expect(trimEndOf(' .. ', '.')).toBe('');
  });
});
