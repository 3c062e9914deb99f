import { describe, expect, it } from '@jest/globals';
import { estimateTokens } from '@kith/llm';
import { plainBudget } from './testing-budget.js';
import { cutSaid, newestQuotes, picturesThatFit } from './cut-said.js';

describe('what a prompt has room for', () => {
  const quotes = Array.from({ length: 500 }, (_, n) => ({ text: `${n} ${'word '.repeat(190)}` }));

  it('is the newest quotes, in their order', () => {
    const kept = newestQuotes(quotes, 6_000, estimateTokens);
    expect(kept.map(({ text }) => Number.parseInt(text, 10))).toEqual([496, 497, 498, 499]);
    expect(newestQuotes(quotes.slice(0, 2), 6_000, estimateTokens)).toHaveLength(2);
    expect(newestQuotes([], 6_000, estimateTokens)).toEqual([]);
  });

  it.each(['word ', '漢字', '😀', 'ü'])('is the beginning and the end of what is said: of %s', (text) => {
    const said = `First ${text.repeat(4_000)} last`;
    const cut = cutSaid(said, 1_001, 4_000, estimateTokens);
    expect(cut).toMatch(/^First .* \[… .* …\] .* last$/);
    expect(cut.isWellFormed()).toBe(true);
    expect(estimateTokens(cut)).toBeLessThanOrEqual(1_001);
    expect(estimateTokens(cut)).toBeGreaterThan(900);
    // However much else there is, a part of it stays.
    expect(estimateTokens(cutSaid(said, -500, 4_000, estimateTokens))).toBeGreaterThan(700);
    expect(cutSaid('Hello', 1_001, 4_000, estimateTokens)).toBe('Hello');
  });

  it.each([
    ['Look!', 5_898, ['d']],
    ['Look!', 16_000, ['a', 'b', 'c', 'd']],
    ['Look! '.repeat(1_000), 5_898, []],
    ['Look!', 1_000, []],
  ])('is the newest pictures: with %s… and %i tokens', (said, limit, shown) => {
    expect(picturesThatFit(['a', 'b', 'c', 'd'], [said], plainBudget(limit))).toEqual(shown);
  });
});
