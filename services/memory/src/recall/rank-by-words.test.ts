import { describe, expect, it } from '@jest/globals';
import { analyseText } from '../words/analyse-text.js';
import { rankByWords } from './rank-by-words.js';

describe('ranking by words alone', () => {
  const texts = [
    { id: 'a', text: 'I had tea this morning' },
    { id: 'b', text: 'My violin is out of tune, so I had tea' },
    { id: 'c', text: 'It rained' },
  ];

  it('puts what shares more and rarer words first, and leaves out what shares none', () => {
    const ranked = rankByWords(analyseText('tea and violins'), texts);
    expect(ranked.map(({ id }) => id)).toEqual(['b', 'a']);
  });

  it('finds nothing for a query without words', () => {
    expect(rankByWords([], texts)).toEqual([]);
  });
});
