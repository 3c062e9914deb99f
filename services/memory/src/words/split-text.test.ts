import { describe, expect, it } from '@jest/globals';
import { noteOfSent } from '@kith/contracts';
import { splitText } from './split-text.js';

describe('splitting long texts', () => {
  it('leaves a short text whole', () => {
    expect(splitText('  One. Two.  ', 20)).toEqual(['One. Two.']);
  });

  it('keeps nothing of blank text', () => {
    expect(splitText(' \n ')).toEqual([]);
  });

  it('cuts between sentences', () => {
    expect(splitText('I like tea. You like milk. They like rum.', 28)).toEqual([
      'I like tea. You like milk.',
      'They like rum.',
    ]);
  });

  it('cuts a long sentence between words, and a long word between characters', () => {
    expect(splitText('one two three four', 9)).toEqual(['one two', 'three', 'four']);
    expect(splitText('👩‍👩‍👧'.repeat(3), 17).join('')).toBe('👩‍👩‍👧'.repeat(3));
    expect(splitText('👩‍👩‍👧'.repeat(3), 17)).toEqual(['👩‍👩‍👧👩‍👩‍👧', '👩‍👩‍👧']);
  });

  it('cuts no note that a door inserted', () => {
    const note = noteOfSent('a file', 'I am Zed. I am vegan. I live in Oslo.');
    expect(splitText(`I like tea. You like milk.\n${note}`, 60)).toEqual([
      'I like tea. You like milk.',
      note,
    ]);
  });

  it('cuts a character only where it has more marks than fit', () => {
    const parts = splitText(`e${'\u0301'.repeat(30)}`, 10);
    expect(parts.map((part) => part.length)).toEqual([10, 10, 10, 1]);
  });

  it('loses no word and keeps every part within the bound', () => {
    const text = Array.from({ length: 900 }, (_, i) => `word${i}${i % 13 === 0 ? '.' : ''}`).join(' ');
    const parts = splitText(text);
    expect(parts.join(' ')).toBe(text);
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(1_200);
  });
});
