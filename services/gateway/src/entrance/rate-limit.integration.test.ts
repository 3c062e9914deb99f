import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freshStores, type FreshStores } from '@kith/testing';
import { Redis } from 'ioredis';
import { RateLimit } from './rate-limit.js';

const PER_MINUTE = 40;

let stores: FreshStores;
let redis: Redis;

beforeAll(async () => {
  stores = await freshStores();
  redis = new Redis(stores.redisUrl);
  // Until then each counts alone.
  await redis.ping();
});
afterAll(async () => {
  redis.disconnect();
  await stores.stop();
});

/** Counts how many of so many requests, one after the other, are let through. */
async function letThrough(limit: RateLimit, key: string, requests: number): Promise<number> {
  let passed = 0;
  for (let n = 0; n < requests; n += 1)
    await limit.take(key).then(
      () => (passed += 1),
      () => undefined,
    );
  return passed;
}

describe('the limit of a key', () => {
  const open = () => new RateLimit(redis, 'test:', PER_MINUTE);

  it('lets through as many as it says, and says when to come back', async () => {
    const limit = open();
    expect(await letThrough(limit, 'one', PER_MINUTE + 5)).toBe(PER_MINUTE);
    await expect(limit.take('one')).rejects.toMatchObject({ code: 'rate_limited', message: /in \d+ s/ });
    expect(await letThrough(limit, 'other', 1)).toBe(1);
  });

  it('is one for all replicas', async () => {
    expect(await letThrough(open(), 'shared', PER_MINUTE / 2)).toBe(PER_MINUTE / 2);
    expect(await letThrough(open(), 'shared', PER_MINUTE)).toBe(PER_MINUTE / 2);
  });

  it('holds for requests that come at once', async () => {
    const limit = open();
    await limit.take('burst');
    const taken = await Promise.allSettled(Array.from({ length: 2 * PER_MINUTE }, () => limit.take('burst')));
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(PER_MINUTE - 1);
  });
});
