import { expect, it } from '@jest/globals';
import { embedFormerly } from './former-embedding.js';

it('the former embedder gives the vectors that installs hold', () => {
  const vector = embedFormerly('The quick brown fox', 'document');
  const strongest = [...vector.keys()].sort((a, b) => Math.abs(vector[b]!) - Math.abs(vector[a]!));
  expect(strongest.slice(0, 6).map((index) => `${index}: ${vector[index]!.toFixed(4)}`)).toEqual([
    '458: 0.4427',
    '474: -0.4427',
    '480: -0.4427',
    '497: 0.4427',
    '335: 0.2214',
    '340: -0.2214',
  ]);
});
