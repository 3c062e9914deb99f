import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { Parsed } from '../local/parsed.js';
import { DirectJobs } from './direct-jobs.js';

/** Jobs of which one runs at a time, until the test ends it. */
function jobs() {
  const begun: string[] = [];
  const queued: string[] = [];
  const lost: string[] = [];
  const ends: (() => void)[] = [];
  const run = (_: Parsed, id: string) =>
    new Promise<void>((end) => {
      begun.push(id);
      ends.push(end);
    });
  const direct = new DirectJobs(run, 1, (id) => lost.push(id));
  const order = (id: string, orElse = async () => void queued.push(id)) =>
    direct.take({ payload: {} as Parsed, id }, orElse);
  const endOne = async () => {
    ends.shift()?.();
    await nextTurn();
  };
  return { direct, begun, queued, lost, order, endOne };
}

it('does a job once that is ordered again while it runs or waits, and one at a time', async () => {
  const { begun, order, endOne } = jobs();
  const first = order('a');
  expect(order('a')).toBe(first);
  const second = order('b');
  expect(order('b')).toBe(second);
  expect(begun).toEqual(['a']);
  for (let ended = 0; ended < 3; ended += 1) await endOne();
  expect(begun).toEqual(['a', 'b']);
  await Promise.all([first, second]);
  // Done, it may be ordered anew.
  void order('a');
  expect(begun).toEqual(['a', 'b', 'a']);
});

it('queues what waits when the process ends, and takes nothing more', async () => {
  const { direct, begun, queued, lost, order, endOne } = jobs();
  void order('a');
  void order('b');
  void order('c', () => Promise.reject(new Error('Redis is away')));
  const closed = direct.close();
  expect(order('d')).toBeNull();
  await endOne();
  await closed;
  expect([begun, queued, lost]).toEqual([['a'], ['b'], ['c']]);
});

it('leaves to the queue what would wait too long here', () => {
  const { order } = jobs();
  const taken = Array.from({ length: 300 }, (_, number) => order(String(number)));
  expect(taken.filter((ended) => ended !== null)).toHaveLength(257);
});
