import { expect, it } from '@jest/globals';
import type { Redis } from 'ioredis';
import { keyOf } from './claimed-entry.js';
import { takeOver } from './takeover.js';

const STREAM = 'event:calc.counted';

/** Redis with these entries pending, all of them untouched for long. */
function redisWith(pending: readonly string[]): Redis {
  const xpending = async (...given: unknown[]) =>
    given.length === 2
      ? [pending.length]
      : pending.slice(0, given.at(-1) as number).map((id) => [id, 'somebody', 99_000, 1]);
  const xclaim = async (...given: unknown[]) => [[given.at(-1), ['n', '1']]];
  return { xpending, xclaim } as never;
}

it('own entries in work that look untouched hide none of a dead replica, and no more are taken than there is room for', async () => {
  const own = ['1-0', '2-0', '3-0'].map((id): [string, true] => [keyOf({ stream: STREAM, id }), true]);
  const settings = {
    streams: [STREAM],
    group: 'calc',
    consumer: 'me',
    concurrency: 5,
    maxDeliveries: 5,
    claimIdleMs: 1_000,
    forgetConsumerAfterMs: 60_000,
  };
  const redis = redisWith(['1-0', '4-0', '2-0', '5-0', '6-0', '3-0']);
  const { taken, pending } = await takeOver(redis, settings, 2, new Map(own));
  expect(taken.map(({ id }) => id)).toEqual(['4-0', '5-0']);
  expect(pending).toBe(6);
});
