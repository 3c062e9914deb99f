import { describe, expect, it } from '@jest/globals';
import { languages } from './languages.js';
import { stemWord } from './stem-word.js';

describe('stems', () => {
  it.each([
    ['de', 'häuser', 'haus'],
    ['es', 'trabajando', 'trabajo'],
    ['fr', 'chanteuses', 'chanteuse'],
    ['pt', 'gatos', 'gato'],
    ['it', 'lavorare', 'lavoro'],
    ['nl', 'honden', 'hond'],
    ['pl', 'siostrą', 'siostra'],
    ['sv', 'hundarna', 'hund'],
    ['da', 'hundene', 'hund'],
    ['no', 'hundene', 'hund'],
    ['fi', 'talossa', 'talo'],
    ['hu', 'kutyának', 'kutya'],
    ['ro', 'copiilor', 'copii'],
    ['ru', 'собаками', 'собака'],
    ['tr', 'kitaplar', 'kitap'],
  ])('bring forms of a word together: %s, %s and %s', (language, one, other) => {
    expect(stemWord(one, language)).toBe(stemWord(other, language));
  });

  it('open for every language that has a stemmer', () => {
    const stemmed = [...languages().values()].filter(({ stemmer }) => stemmer);
    expect(stemmed.length).toBeGreaterThanOrEqual(15);
    for (const { code } of stemmed) expect(stemWord('abcdefgh', code)).not.toBe('');
  });

  it('leave a word of an unknown language as it is', () => {
    expect(stemWord('houses', 'xx')).toBe('houses');
  });
});
