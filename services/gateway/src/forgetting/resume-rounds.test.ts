import { beforeEach, expect, it } from '@jest/globals';
import { AppError, lockedError } from '@kith/contracts';
import { ResumeRounds } from './resume-rounds.js';

let open: string[];
let tried: string[];
let failures: Record<string, Error>;
const rounds = (limit: number) =>
  new ResumeRounds<string>({
    limit,
    keyOf: (item) => item,
    find: async (after, most) => open.filter((item) => item > after).slice(0, most),
    carryOut: async (item) => {
      tried.push(item);
      const failure = failures[item];
      if (failure) throw failure;
      open = open.filter((other) => other !== item);
    },
    onFailure: () => undefined,
  });
beforeEach(() => {
  open = ['a', 'b', 'c', 'd'];
  tried = [];
  failures = {};
});

it('ends at the first part that does not answer, and begins behind it next time', async () => {
  failures = { a: new AppError('unavailable', 'memory is away'), c: new AppError('unavailable', 'still') };
  const resuming = rounds(10);
  expect(await resuming.next()).toHaveLength(1);
  expect(await resuming.next()).toHaveLength(2);
  expect(await resuming.next()).toHaveLength(1);
  expect(tried).toEqual(['a', 'b', 'c', 'd']);
  tried = [];
  failures = {};
  expect(await resuming.next()).toHaveLength(2);
  expect(tried).toEqual(['a', 'c']);
});

it('passes what fails for a reason of its own, or is locked, and reaches what is behind a page of it', async () => {
  failures = { a: new Error('broken'), b: lockedError(null) };
  const resuming = rounds(2);
  expect(await resuming.next()).toHaveLength(2);
  expect(await resuming.next()).toHaveLength(2);
  expect(open).toEqual(['a', 'b']);
  expect(await resuming.next()).toHaveLength(2);
});

it('goes round again at once where nothing is left behind', async () => {
  open = ['a'];
  failures = { a: new AppError('unavailable', 'memory is away') };
  const resuming = rounds(10);
  expect([await resuming.next(), await resuming.next()]).toEqual([['a'], ['a']]);
  open = [];
  expect(await resuming.next()).toHaveLength(0);
});
