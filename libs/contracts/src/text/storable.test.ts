import { describe, expect, it } from '@jest/globals';
import { cutText, oneLine, shorten, storable, storableText } from './storable.js';

describe('what every store can hold', () => {
  it('leaves NUL out and mends half pairs, wherever they are', () => {
    const heard = { text: 'a\0b', nested: [{ '\0name': 'ok\ud800' }, 7, null] };
    expect(storable(heard)).toEqual({ text: 'ab', nested: [{ name: 'ok\ufffd' }, 7, null] });
  });

  it('ends at a hundred levels, however deep a text nests', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown;
    expect(JSON.stringify(storable(deep))).toBe(`${'['.repeat(100)}null${']'.repeat(100)}`);
  });

  it('copies nothing that is well', () => {
    const heard = { text: 'plain 😀', nested: [{ name: ['x'] }] };
    expect(storable(heard)).toBe(heard);
    expect(storableText('😀')).toBe('😀');
  });
});

describe('a cut text', () => {
  it('never leaves half of a surrogate pair', () => {
    expect([cutText('a😀b', 2), cutText('a😀b', 3), cutText('ab', 5)]).toEqual(['a', 'a😀', 'ab']);
  });
});

describe('a text that is cut', () => {
  it.each(['👨‍👩‍👧‍👦', '🇩🇪', '👍🏽', '❤️', 'e\u0301', 'か\u3099', '각'.normalize('NFD'), 'नि', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'])(
    'holds %s whole or not at all',
    (sign) => {
      const text = sign.repeat(40);
      for (let most = sign.length; most < text.length; most += 1)
        expect(cutText(text, most)).toBe(sign.repeat(Math.floor(most / sign.length)));
    },
  );

  it('holds as much as fits of a letter with no end of marks', () => {
    expect(cutText(`a${'\u0301'.repeat(500)}`, 200)).toHaveLength(200);
    expect(cutText('👨‍👩‍👧‍👦', 4)).toBe('👨‍');
  });
});

describe('a shortened text', () => {
  it('ends with a word where one ends near, else between whole characters', () => {
    expect([shorten('as it is', 8), shorten('one two three', 12)]).toEqual(['as it is', 'one two…']);
    expect([shorten('a bcdefghij', 8), shorten('abc😀def', 5)]).toEqual(['a bcdef…', 'abc…']);
  });
});

describe('a text on one line', () => {
  it('has no break of any kind', () => {
    expect(oneLine(' one\r\ntwo\u0085three\u2028\tfour \u0085')).toBe('one two three four');
  });
});
