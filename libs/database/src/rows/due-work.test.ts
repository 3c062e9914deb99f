import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HOUR_MS } from '@kith/contracts';
import { DueWork } from './due-work.js';

let rounds: number[];
let begin: number;

beforeEach(() => {
  jest.useFakeTimers();
  rounds = [];
  begin = Date.now();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Work whose rounds find these times, one after the other. */
function workThatFinds(...finds: (number | null | Error)[]): DueWork {
  return new DueWork(async () => {
    rounds.push(Date.now() - begin);
    const found = finds.shift() ?? null;
    if (found instanceof Error) throw found;
    return found === null ? null : new Date(begin + found);
  }, HOUR_MS);
}

describe('work that is due', () => {
  it('is done at the start, at the times that a round finds, and else once in a while', async () => {
    workThatFinds(5_000, null).start();
    await jest.advanceTimersByTimeAsync(2 * HOUR_MS + 6_000);
    expect(rounds).toEqual([0, 5_000, HOUR_MS + 5_000, 2 * HOUR_MS + 5_000]);
  });

  it('is done at the time it is told of, where that is earlier', async () => {
    const work = workThatFinds(60_000, null);
    work.start();
    await jest.advanceTimersByTimeAsync(0);
    work.due(new Date(begin + 20_000));
    work.due(new Date(begin + 40_000));
    await jest.advanceTimersByTimeAsync(30_000);
    expect(rounds).toEqual([0, 20_000]);
  });

  it('is tried again soon when it failed, and never spins', async () => {
    workThatFinds(new Error('away'), -1, -1, null).start();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(rounds).toEqual([0, 5_000, 6_000, 7_000]);
  });

  it('is not done at once for a time weeks ahead, which no timer takes', async () => {
    const work = new DueWork(async () => {
      rounds.push(Date.now() - begin);
      await new Promise((resolve) => setTimeout(resolve, 100));
      return null;
    }, HOUR_MS);
    work.start();
    await jest.advanceTimersByTimeAsync(0);
    work.due(new Date(begin + 40 * 24 * HOUR_MS));
    await jest.advanceTimersByTimeAsync(HOUR_MS + 5_000);
    expect(rounds).toEqual([0, HOUR_MS]);
  });

  it('is done again for what became due while a long round was under way', async () => {
    const work = new DueWork(async () => {
      rounds.push(Date.now() - begin);
      await new Promise((resolve) => setTimeout(resolve, 4_500));
      return null;
    }, HOUR_MS);
    work.start();
    await jest.advanceTimersByTimeAsync(0);
    work.due(new Date(begin + 2_000));
    await jest.advanceTimersByTimeAsync(2 * HOUR_MS);
    expect(rounds.slice(0, 2)).toEqual([0, 5_000]);
    expect(rounds).toHaveLength(3);
  });

  it('is not done after its end', async () => {
    const work = workThatFinds(1_000);
    work.start();
    await work.stop();
    work.due(new Date(begin + 1_000));
    await jest.advanceTimersByTimeAsync(2 * HOUR_MS);
    expect(rounds).toEqual([0]);
  });
});
