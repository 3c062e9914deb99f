import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort, startRedis, type RunningRedis } from '@kith/embedded';
import { eventually, ifStarted } from '@kith/testing';
import { Redis } from 'ioredis';
import { RedisVectorCache } from './redis-vector-cache.js';

const VECTOR = Float32Array.of(0.25, -1.5);
let directory: string;
let server: RunningRedis;
let redis: Redis;
let cache: RedisVectorCache;
let failures: unknown[] = [];

const open = (over: { url?: string; dimensions?: number } = {}) =>
  new RedisVectorCache({
    url: server.url,
    keyPrefix: 'test:',
    ttlMs: 60_000,
    dimensions: 2,
    onFailure: (error) => failures.push(error),
    ...over,
  });

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kith-vectors-'));
  server = await startRedis({ directory, port: await freePort(), password: 'secret' });
  redis = new Redis(server.url);
  cache = open();
  await eventually('the cache to be connected', async () => {
    failures = [];
    await cache.read(['any']);
    return failures.length === 0;
  });
}, 60_000);
afterAll(async () => {
  await ifStarted(cache)?.close();
  ifStarted(redis)?.disconnect();
  await ifStarted(server)?.stop('SIGKILL');
  await rm(directory, { recursive: true, force: true });
});
beforeEach(async () => {
  await redis.flushall();
  failures = [];
});

describe('the cache of vectors', () => {
  it('gives each key its vector, and null to one without', async () => {
    await cache.write([
      { key: 'one', vector: VECTOR },
      // A part of a longer array, as providers answer.
      { key: 'two', vector: Float32Array.of(9, 3, 4, 9).subarray(1, 3) },
    ]);
    expect(await cache.read(['two', 'none', 'one'])).toEqual([Float32Array.of(3, 4), null, VECTOR]);
    expect(failures).toEqual([]);
  });

  it('keeps it for its time from its last write on, under the prefix', async () => {
    await cache.write([{ key: 'one', vector: VECTOR }]);
    await redis.pexpire('test:vectors:one', 1_000);
    await cache.write([{ key: 'one', vector: VECTOR }]);
    const left = await redis.pttl('test:vectors:one');
    expect(left).toBeGreaterThan(50_000);
    expect(left).toBeLessThanOrEqual(60_000);
  });

  it('takes one of another length for absent', async () => {
    await redis.set('test:vectors:shorter', Buffer.alloc(4));
    await redis.set('test:vectors:longer', Buffer.alloc(12));
    expect(await cache.read(['shorter', 'longer'])).toEqual([null, null]);
  });

  it('tells of what could not be written', async () => {
    await redis.call('CONFIG', 'SET', 'maxmemory', '1');
    await cache.write([{ key: 'one', vector: VECTOR }]);
    await redis.call('CONFIG', 'SET', 'maxmemory', '0');
    expect(failures).toMatchObject([{ message: expect.stringContaining('OOM') }]);
    expect(await cache.read(['one'])).toEqual([null]);
  });

  it('goes on without Redis, and tells of each failure', async () => {
    const away = open({ url: `redis://127.0.0.1:${await freePort()}` });
    expect(await away.read(['one', 'two'])).toEqual([null, null]);
    await away.write([{ key: 'one', vector: VECTOR }]);
    expect(failures.length).toBe(2);
    await away.close();
  });
});
