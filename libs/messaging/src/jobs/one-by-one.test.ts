import { describe, expect, it } from '@jest/globals';
import { oneByOne } from './one-by-one.js';

describe('work on each of several', () => {
  it('goes on after one that fails, and throws its failure in the end', async () => {
    const done: number[] = [];
    const work = async (item: number) => {
      if (item === 2) throw new Error('two is bad');
      done.push(item);
    };
    await expect(oneByOne([1, 2, 3], work)).rejects.toThrow('two is bad');
    expect(done).toEqual([1, 3]);
    await oneByOne([4], work);
    expect(done).toEqual([1, 3, 4]);
  });
});
