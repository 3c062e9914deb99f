import { describe, expect, it } from '@jest/globals';
import type { RecalledMemory } from '@kith/contracts';
import { explainScore } from './score-parts.js';

const why: RecalledMemory['why'] = {
  denseRank: 1,
  similarity: 0.714,
  lexicalRank: 3,
  fused: 0.9,
  fit: 0,
  recency: 0.08,
  mood: 0,
  proof: 0,
  importance: 0,
  certainty: 1,
  score: 0.97,
};

describe('explainScore', () => {
  it('puts each part into words', () => {
    expect(explainScore(why).map(({ name, words }) => `${name}: ${words}`)).toEqual([
      'similarity: 71 % alike in meaning',
      'words in common: 3rd-best match',
      'recency: lifts it by 8 %',
      'importance: no lift',
    ]);
  });

  it('says how it answers, where that counts', () => {
    const fitOf = (fit: number) => explainScore({ ...why, fit }).find(({ name }) => name === 'fit')?.words;
    expect([fitOf(0.8), fitOf(-0.2), fitOf(0)]).toEqual(['lifts it by 80 %', 'counts 20 % less', undefined]);
  });

  it('says how sure recall is, where it is not', () => {
    const certainty = explainScore({ ...why, certainty: 0.42 }).at(-1);
    expect(certainty).toEqual({
      name: 'certainty',
      words: '42 % sure that anything found answers',
      share: 0.42,
    });
  });

  it('draws nothing for an arm that did not find it', () => {
    const parts = explainScore({ ...why, similarity: null, lexicalRank: null });
    expect(parts.slice(0, 2)).toEqual([
      { name: 'similarity', words: 'not found by meaning', share: 0 },
      { name: 'words in common', words: 'none', share: 0 },
    ]);
  });

  it('draws the best match in full, and keeps every bar within its box', () => {
    const parts = explainScore({ ...why, similarity: -0.2, lexicalRank: 1, recency: 3 });
    expect(parts.map(({ share }) => share)).toEqual([0, 1, 1, 0]);
  });
});
