import { describe, expect, it } from '@jest/globals';
import { certaintyOf } from './certainty-of.js';

const line = (text: string, words: number | null, similarity: number | null = null) => ({
  text,
  words,
  similarity,
  speaker: 'Ann',
});
const lines = (count: number, words: number) =>
  Array.from({ length: count }, (_, n) => line(`the garden and its ${n} roses`, words));

describe('certainty', () => {
  const garden = { terms: ['garden', 'rose'], about: null };

  it('is higher the more is said of what is asked, and never nothing', () => {
    const much = certaintyOf(garden, [line('roses in the garden', 5), ...lines(9, 4)]);
    const little = certaintyOf(garden, [line('roses in the garden', 5), ...lines(9, 1)]);
    const one = certaintyOf(garden, [line('roses in the garden', 5)]);
    expect([much, little, one]).toEqual([0.8, 0.2, 0.1]);
    expect(certaintyOf(garden, [line('far away', null)])).toBe(0.02);
  });

  it('is the likeness of what was found by meaning alone', () => {
    expect(certaintyOf(garden, [line('tulips', null, 0.4), line('rain', null, 0.1)])).toBe(0.4);
  });

  it('is less when another said what one person is asked about', () => {
    const asked = { terms: ['garden', 'rose'], about: ['Ann'] };
    const hers = certaintyOf(asked, lines(10, 4));
    const others = lines(10, 4).map((each, n) =>
      n < 5 ? { ...each, speaker: 'Bo' } : { ...each, text: 'a garden' },
    );
    expect(hers).toBeCloseTo(1, 10);
    expect(certaintyOf(asked, others)).toBeLessThan(0.3);
  });
});
