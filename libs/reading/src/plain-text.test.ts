import { describe, expect, it } from '@jest/globals';
import { splitAtMarks, splitSentences, textForRules, trimEndOf } from './plain-text.js';

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

  it('leaves out what is past the most', () => {
    expect(splitSentences('One. Two. Three.', 2)).toEqual(['One.', 'Two.']);
  });
});

describe('splitAtMarks', () => {
  it.each([
    [
      'Look up plan B. Who is it?!yes…ok.no; 好！吗',
      ['Look up plan B.', 'Who is it?!', 'yes…', 'ok.', 'no;', '好！', '吗'],
    ],
    ['Ask Dr. Roe\n\nor Eve', ['Ask Dr.', 'Roe', 'or Eve']],
    ['(Is it?)😅 "Is it so?" :)', ['(Is it?', ')😅 "Is it so?']],
    ['It is 3.50 at www.example.org. Yes', ['It is 3.50 at www.example.org.', 'Yes']],
    ['Write to a.roe@post.example.de!now.please', ['Write to a.roe@post.example.de!', 'now.', 'please']],
    ['See https://example.org/?q=a.b!c. Yes', ['See https://example.org/?q=a.b!c.', 'Yes']],
    [' \n ?! ', []],
  ])('ends a sentence at each mark, but in addresses and numbers: %s', (text, sentences) => {
    expect(splitAtMarks(text)).toEqual(sentences);
  });

  it('knows ordinals where their language has them, and leaves out what is past the most', () => {
    const text = '\nAm 3. Mai. Ja. Nein.';
    expect(splitAtMarks(text)).toEqual(['Am 3.', 'Mai.', 'Ja.', 'Nein.']);
    expect(splitAtMarks(text, { most: 2, hasOrdinalDots: true })).toEqual(['Am 3. Mai.', 'Ja.']);
  });
});

describe('trimEndOf', () => {
  it('takes marks and white space off the end alone', () => {
    expect(trimEndOf('a. b . !\n', '.!')).toBe('a. b');
    expect(trimEndOf(' .. ', '.')).toBe('');
  });
});
