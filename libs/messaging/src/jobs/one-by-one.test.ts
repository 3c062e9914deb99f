import { describe, expect, it } from '@jest/globals';
import { AppError, lockedError } from '@kith/contracts';
import { allOrOneByOne, oneByOne } from './one-by-one.js';

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

  it('throws what another try may mend before what it will not', async () => {
    const failures = [new AppError('invalid_request', 'never'), new AppError('unavailable', 'later')];
    await expect(oneByOne(failures, (failure) => Promise.reject(failure))).rejects.toThrow('later');
  });
});

describe('work on several at once', () => {
  it('is done on each by itself where one of them fails it', async () => {
    const done: number[][] = [];
    const work = async (items: readonly number[]) => {
      if (items.includes(2)) throw new Error('two is bad');
      done.push([...items]);
    };
    await allOrOneByOne([1, 3], work);
    await expect(allOrOneByOne([1, 2, 3], work)).rejects.toThrow('two is bad');
    expect(done).toEqual([[1, 3], [1], [3]]);
  });

  it('is done on each by itself where the rows of one stay locked', async () => {
    const done: number[][] = [];
    const work = async (items: readonly number[]) => {
      if (items.includes(2)) throw lockedError(null);
      done.push([...items]);
    };
    await expect(allOrOneByOne([1, 2, 3], work)).rejects.toMatchObject({ code: 'unavailable' });
    expect(done).toEqual([[1], [3]]);
  });

  it('is left for another time where all of them wait for the same lock', async () => {
    let tries = 0;
    const work = () => {
      tries += 1;
      return Promise.reject(lockedError(null));
    };
    const items = Array.from({ length: 50 }, (_, n) => n);
    await expect(allOrOneByOne(items, work)).rejects.toMatchObject({ code: 'unavailable' });
    expect(tries).toBe(4);
  });

  it('is left for another time where something is out of reach, and for nobody is not done at all', async () => {
    let tries = 0;
    const work = () => {
      tries += 1;
      return Promise.reject(new AppError('unavailable', 'later'));
    };
    await expect(allOrOneByOne([1, 2], work)).rejects.toThrow('later');
    await allOrOneByOne([], work);
    expect(tries).toBe(1);
  });
});
