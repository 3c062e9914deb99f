import { expect, it } from '@jest/globals';
import { MicroBatcher } from './micro-batcher.js';

function doubling(maxCalls: number, mayBeOneItem = true, maxSize?: number) {
  const calls: number[][] = [];
  const batcher = new MicroBatcher(
    async (items: number[]) => {
      calls.push(items);
      await new Promise(setImmediate);
      if (items.includes(13)) throw new Error(`refused ${items.length}`);
      return items.map((item) => item * 2);
    },
    () => mayBeOneItem,
    { maxItems: 3, maxCalls, ...(maxSize && { maxSize }) },
    (item) => item,
  );
  return { calls, add: (...items: number[]) => Promise.allSettled(items.map((item) => batcher.add(item))) };
}

const done = (value: number) => ({ status: 'fulfilled', value });
const refused = { status: 'rejected', reason: new Error('refused 1') };

it('makes one call of what comes in the same moment, as far as one may hold it', async () => {
  const { calls, add } = doubling(2);
  expect(await add(1, 2, 3, 4)).toEqual([done(2), done(4), done(6), done(8)]);
  expect(calls).toEqual([[1, 2, 3], [4]]);
});

it('makes no call of more than its size, but for one item that is larger alone', async () => {
  const { calls, add } = doubling(1, true, 10);
  await add(4, 6, 1, 20, 1, 1, 1, 1);
  expect(calls).toEqual([[4, 6], [1], [20], [1, 1, 1], [1]]);
});

it('gathers what comes while calls are under way', async () => {
  const { calls, add } = doubling(1);
  const first = add(1);
  await new Promise(setImmediate);
  await Promise.all([first, add(2), add(4)]);
  expect(calls).toEqual([[1], [2, 4]]);
});

it('fails the item that is at fault, and no other', async () => {
  const { calls, add } = doubling(1);
  expect(await add(1, 13, 2)).toEqual([done(2), refused, done(4)]);
  expect(calls).toEqual([[1, 13, 2], [1, 13], [1], [13], [2]]);
});

it('fails all at once where no item can be at fault', async () => {
  const { calls, add } = doubling(1, false);
  expect((await add(1, 13)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(calls).toEqual([[1, 13]]);
});
