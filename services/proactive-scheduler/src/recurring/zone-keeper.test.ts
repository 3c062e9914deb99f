import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { AppError, HOUR_MS } from '@kith/contracts';
import { BATCH, ZoneKeeper } from './zone-keeper.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Makes a keeper of people who are to move, with what happens at each move. */
function keeperOf(people: Set<string>, atMove: (personId: string) => Promise<void> = async () => undefined) {
  const moved: string[] = [];
  const told: unknown[] = [];
  const warned: unknown[] = [];
  let reads = 0;
  const keeper = new ZoneKeeper(
    {
      peopleToMove: async (after, limit) => {
        reads += 1;
        return [...people]
          .filter((one) => one > after)
          .toSorted()
          .slice(0, limit);
      },
      moveToSuite: async (personId) => {
        await atMove(personId);
        people.delete(personId);
        moved.push(personId);
      },
    },
    { publish: async (_, payload) => void told.push(payload) },
    { warn: (fields) => void warned.push(fields) },
  );
  return { keeper, moved, told, warned, reads: () => reads };
}

const several = (count: number) =>
  Array.from({ length: count }, (_, n) => `${String(n + 1).padStart(8, '0')}-0000-4000-8000-000000000000`);

it('moves everybody, a batch at a time, passes over who can’t be moved, and looks for nobody without end', async () => {
  const all = several(BATCH + 2);
  const [stuck] = all;
  let isStuck = true;
  const { keeper, moved, told, warned, reads } = keeperOf(new Set(all), async (personId) => {
    if (personId === stuck && isStuck) throw new Error('this one is broken');
  });
  keeper.start();
  await jest.advanceTimersByTimeAsync(0);
  expect(moved).toEqual(all.slice(1));
  expect(told).toHaveLength(moved.length);
  expect(warned).toEqual([{ personId: stuck, reason: 'Error' }]);
  expect(reads()).toBe(3);
  isStuck = false;
  await jest.advanceTimersByTimeAsync(HOUR_MS);
  expect(moved.at(-1)).toBe(stuck);
  expect(reads()).toBe(5);
  await jest.advanceTimersByTimeAsync(24 * HOUR_MS);
  expect(reads()).toBe(6);
  await keeper.stop();
});

it('looks again after an hour for whom a former process has seen meanwhile', async () => {
  const people = new Set<string>();
  const [late] = several(1);
  const { keeper, moved } = keeperOf(people);
  keeper.start();
  await jest.advanceTimersByTimeAsync(HOUR_MS / 2);
  people.add(late!);
  await jest.advanceTimersByTimeAsync(HOUR_MS);
  expect(moved).toEqual([late]);
  await keeper.stop();
});

it('tries all of them again soon while the store is away', async () => {
  const all = several(2);
  let isAway = true;
  const { keeper, moved } = keeperOf(new Set(all), async () => {
    if (isAway) throw new AppError('unavailable', 'the store is away');
  });
  keeper.start();
  await jest.advanceTimersByTimeAsync(1_000);
  isAway = false;
  await jest.advanceTimersByTimeAsync(10_000);
  expect(moved).toEqual(all);
  await keeper.stop();
});

it('stops with the person whose turn it is', async () => {
  const all = several(3);
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  const { keeper, moved } = keeperOf(new Set(all), () => held);
  keeper.start();
  await jest.advanceTimersByTimeAsync(0);
  const stopped = keeper.stop();
  release();
  await stopped;
  expect(moved).toEqual(all.slice(0, 1));
});
