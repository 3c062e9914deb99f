import { describe, expect, it } from '@jest/globals';
import { analyseText } from '../words/analyse-text.js';
import { findContradictions, type Told } from './find-contradictions.js';

const line = (day: number, text: string, over: Partial<Told> = {}): Told => ({
  ...{ id: `${day}`, text, speaker: 'Ann', attribute: null, value: null, validTo: null },
  saidAt: new Date(Date.UTC(2026, 0, day)),
  ...over,
});
const pairsOf = (found: Told[], question: string) =>
  findContradictions(found, analyseText(question)).map(({ sides }) => sides.map(({ id }) => id));

const denied = line(9, 'I’ve never met Kelly at any book club, so should I write to her?');
const met = line(2, 'I met Kelly at the library book club in October.');
const question = 'Have I met Kelly at a book club?';

describe('a contradiction', () => {
  it('is a denial beside a line of the same speaker that says otherwise, the older first', () => {
    expect(pairsOf([denied, line(1, 'Kelly is kind.'), met], question)).toEqual([['2', '9']]);
  });

  it('is none of something else, of another speaker, or of what is not asked about', () => {
    expect(pairsOf([denied, line(3, 'I met Bob at the station.')], question)).toEqual([]);
    expect(pairsOf([denied, { ...met, speaker: 'Bob' }], question)).toEqual([]);
    expect(pairsOf([denied, met], 'Which films did I like?')).toEqual([]);
    expect(pairsOf([denied, line(3, 'I have never met Kelly at a book club.')], question)).toEqual([]);
  });

  it('is two values of what can’t change, and not of what can', () => {
    const fact = (day: number, attribute: string, value: string) =>
      line(day, `Ann: ${value}`, { attribute, value });
    expect(pairsOf([fact(1, 'birthday', '4 may'), fact(5, 'birthday', '5 may')], 'birthday?')).toEqual([
      ['1', '5'],
    ]);
    expect(pairsOf([fact(1, 'home', 'Rome'), fact(5, 'home', 'Bern')], 'home?')).toEqual([]);
  });
});
