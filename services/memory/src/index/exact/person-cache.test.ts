import { describe, expect, it } from '@jest/globals';
import { PersonCache } from './person-cache.js';
import { PersonVectors } from './person-vectors.js';

const person = () => ({ vectors: new PersonVectors(4), version: 1n, isPart: false });
const ONE = person().vectors.bytes;

describe('the cache of people', () => {
  it('drops whoever was searched longest ago once it is full', () => {
    const cache = new PersonCache(2 * ONE);
    cache.put('ann', person());
    cache.put('bob', person());
    cache.get('ann');
    cache.put('eve', person());
    expect([cache.get('ann'), cache.get('bob'), cache.get('eve')].map(Boolean)).toEqual([true, false, true]);
  });

  it('keeps one that is larger than the bound alone', () => {
    const cache = new PersonCache(ONE / 2);
    cache.put('ann', person());
    cache.put('bob', person());
    expect([cache.get('ann'), cache.get('bob')].map(Boolean)).toEqual([false, true]);
  });
});
