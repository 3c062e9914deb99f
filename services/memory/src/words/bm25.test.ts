import { describe, expect, it } from '@jest/globals';
import {
  inverseDocumentFrequency,
  poolTerms,
  sparseQuery,
  sparseVector,
  termId,
  termWeight,
} from './bm25.js';

describe('BM25 weights', () => {
  it('grow with repetition, ever less, below k1 + 1', () => {
    const [once, twice, often] = [1, 2, 50].map((count) => termWeight(count, 16));
    expect(once).toBeCloseTo(1, 10);
    expect(twice! - once!).toBeLessThan(once!);
    expect(often).toBeLessThan(1.7);
  });

  it('shrink with the length of the text', () => {
    expect(termWeight(1, 40)).toBeLessThan(termWeight(1, 4));
  });

  it('are higher for rare terms, and never negative', () => {
    expect(inverseDocumentFrequency(1000, 1)).toBeGreaterThan(inverseDocumentFrequency(1000, 500));
    expect(inverseDocumentFrequency(10, 10)).toBeGreaterThan(0);
  });
});

describe('sparse vectors', () => {
  it('have the published FNV-1a hashes as indices', () => {
    expect(termId('')).toBe(0x811c9dc5);
    expect(termId('a')).toBe(0xe40c292c);
    expect(termId('foobar')).toBe(0xbf9cf968);
  });

  it('name each index once', () => {
    const { indices, values } = sparseVector(poolTerms(['dog', 'cat', 'dog'], []), 3);
    expect(indices).toEqual([termId('dog'), termId('cat')]);
    expect(values[0]).toBeGreaterThan(values[1]!);
    expect(poolTerms(['dog'], [{ terms: ['dog', 'walk', 'walk'], share: 0.5 }])).toEqual(
      new Map([
        ['dog', 1.5],
        ['walk', 1],
      ]),
    );
    expect(sparseQuery(['dog', 'dog'])).toEqual({ indices: [termId('dog')], values: [1] });
  });
});
