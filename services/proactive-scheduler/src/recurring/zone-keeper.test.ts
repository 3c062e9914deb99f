import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { AppError, HOUR_MS } from '@kith/contracts';
import { BATCH, ZoneKeeper } from './zone-keeper.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Lists those of some people who come after one. */
const after = (people: Set<string>) => async (one: string, limit: number) =>
  [...people]
    .filter((other) => other > one)
    .toSorted()
    .slice(0, limit);

/** Makes a keeper of people who are to move, with what happens at each move, and of those whose reasons are to be placed. */
function keeperOf(
  people: Set<string>,
  atMove: (personId: string) => Promise<void> = async () => undefined,
  unplaced = new Set<string>(),
) {
  const moved: string[] = [];
  const placed: string[] = [];
  const told: unknown[] = [];
  const warned: unknown[] = [];
  let reads = 0;
  const keeper = new ZoneKeeper(
    {
      peopleToMove: (one, limit) => {
        reads += 1;
        return after(people)(one, limit);
      },
      peopleToPlace: after(unplaced),
      moveToSuite: async (personId) => {
        await atMove(personId);
        people.delete(personId);
        moved.push(personId);
      },
    },
    {
      placeAgain: async (personId) => {
        await atMove(personId);
        unplaced.delete(personId);
        placed.push(personId);
      },
    },
    { publish: async (_, payload) => void told.push(payload) },
    { warn: (fields) => void warned.push(fields) },
  );
  return { keeper, moved, placed, told, warned, reads: () => reads };
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

it('places what was named before a zone, when somebody names one, and again soon while the gateway is away', async () => {
  const [one, stuck, other] = several(3);
  let isAway = true;
  const unplaced = new Set<string>();
  const atMove = async (personId: string) => {
    if (isAway) throw new AppError('unavailable', 'the gateway is away');
    if (personId === stuck) throw new Error('this one is broken');
  };
  const { keeper, placed, moved, told, warned } = keeperOf(new Set(), atMove, unplaced);
  keeper.start();
  await jest.advanceTimersByTimeAsync(2 * HOUR_MS);
  for (const personId of [one!, stuck!, other!]) unplaced.add(personId);
  await jest.advanceTimersByTimeAsync(24 * HOUR_MS);
  keeper.placeSoon();
  await jest.advanceTimersByTimeAsync(2_000);
  expect(placed).toEqual([]);
  isAway = false;
  await jest.advanceTimersByTimeAsync(10_000);
  expect(placed).toEqual([one, other]);
  expect(warned).toEqual([{ personId: stuck, reason: 'Error' }]);
  expect([moved, told]).toEqual([[], []]);
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
