import { describe, expect, it } from '@jest/globals';
import { visibleJson, visibleText } from './visible-json.js';

describe('visibleJson', () => {
  it.each([
    ['a zero-width space', '\u200b', '\\u200b'],
    ['a zero-width joiner', '\u200d', '\\u200d'],
    ['the end of an override', '\u202c', '\\u202c'],
    ['an override', '\u202e', '\\u202e'],
    ['an isolate', '\u2066', '\\u2066'],
    ['the end of an isolate', '\u2069', '\\u2069'],
    ['a line separator', '\u2028', '\\u2028'],
    ['a control of C1', '\u009b', '\\u009b'],
    ['a Hangul filler', '\u3164', '\\u3164'],
    ['a filler of initials', '\u115f', '\\u115f'],
    ['a joiner of graphemes', '\u034f', '\\u034f'],
    ['a variation selector', '\ufe0f', '\\ufe0f'],
    ['a selector beyond the first plane', '\u{e0100}', '\\udb40\\udd00'],
    ['the last of them', '\u{e01ef}', '\\udb40\\uddef'],
    ['a tag', '\u{e0041}', '\\udb40\\udc41'],
    ['the blank of Braille', '\u2800', '\\u2800'],
  ])('escapes %s', (_, hidden, shown) => {
    const value = { [hidden]: `a${hidden}b` };
    const text = visibleJson(value);
    expect(text).toBe(`{"${shown}":"a${shown}b"}`);
    expect(JSON.parse(text)).toEqual(value);
  });

  it('leaves what can be read, and its layout', () => {
    expect(visibleJson({ a: ['é 漢字 🍕\n'] }, 2)).toBe('{\n  "a": [\n    "é 漢字 🍕\\n"\n  ]\n}');
  });
});

describe('visibleText', () => {
  it('escapes what hides in a text, and leaves its lines', () => {
    expect(visibleText('to:\tann\n\u2066eve\u3164\r')).toBe('to:\tann\n\\u2066eve\\u3164\\u000d');
  });
});
