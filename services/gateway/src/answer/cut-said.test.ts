import { describe, expect, it } from '@jest/globals';
import { estimateTokens } from '@kith/llm';
import { newestQuotes, picturesThatFit } from './cut-said.js';

describe('what a prompt has room for', () => {
  const quotes = Array.from({ length: 500 }, (_, n) => ({ text: `${n} ${'word '.repeat(190)}` }));

  it('is the newest quotes, in their order', () => {
    const kept = newestQuotes(quotes, 6_000, estimateTokens);
    expect(kept.map(({ text }) => Number.parseInt(text, 10))).toEqual([496, 497, 498, 499]);
    expect(newestQuotes(quotes.slice(0, 2), 6_000, estimateTokens)).toHaveLength(2);
    expect(newestQuotes([], 6_000, estimateTokens)).toEqual([]);
  });

  it.each([
    ['Look!', 5_898, ['d']],
    ['Look!', 16_000, ['a', 'b', 'c', 'd']],
    ['Look! '.repeat(1_000), 5_898, []],
    ['Look!', 1_000, []],
  ])('is the newest pictures: with %s… and %i tokens', (said, limit, shown) => {
    expect(picturesThatFit(['a', 'b', 'c', 'd'], [said], limit, estimateTokens)).toEqual(shown);
  });
});
