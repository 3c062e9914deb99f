import { describe, expect, it } from '@jest/globals';
import { readWords, stemOf } from './lexical-words.js';

describe('stemOf', () => {
  it.each([
    [['paint', 'paints', 'painted', 'painting'], 'paint'],
    [['city', 'cities'], 'citi'],
    [['bake', 'baked', 'baking', 'bakes'], 'bak'],
    [['class', 'classes'], 'class'],
    [['plan', 'planned', 'planning'], 'plan'],
  ])('brings %j together', (forms, stem) => {
    expect(forms.map(stemOf)).toEqual(forms.map(() => stem));
  });

  it('leaves short words and words in -us alone', () => {
    expect(['as', 'bus', 'is', 'status'].map(stemOf)).toEqual(['as', 'bus', 'is', 'status']);
  });
});

describe('readWords', () => {
  it('folds case, accents and apostrophes', () => {
    expect(readWords("Café's ÀLA don’t").map(({ form }) => form)).toEqual(['cafes', 'ala', 'dont']);
  });

  it('knows stop words and scripts without spaces', () => {
    expect(readWords('the 小白 dog').map(({ isStopWord, isUnspaced }) => [isStopWord, isUnspaced])).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ]);
  });
});
