import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { redisProbe } from './redis-probe.js';
import { eventually, TestRedis } from '../testing-redis.js';

describe('the probe of Redis', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  afterAll(() => redis.stop());

  it('finds Redis there while it is still connecting', async () => {
    const probe = redisProbe(redis.url, () => undefined);
    await expect(probe.ping()).resolves.toBeUndefined();
    probe.close();
  });

  it('says at once that nothing answers', async () => {
    const probe = redisProbe('redis://127.0.0.1:1', () => undefined);
    await expect(probe.ping()).rejects.toThrow(/ECONNREFUSED|not connected/);
    probe.close();
  });

  it('tells of a Redis that became a replica until it takes writes again', async () => {
    const operator = redis.client();
    const probe = redisProbe(redis.url, () => undefined);
    await operator.replicaof('127.0.0.1', 1);
    await expect(probe.ping()).rejects.toThrow('takes no writes');
    await operator.replicaof('NO', 'ONE');
    const isWell = () =>
      probe.ping().then(
        () => true,
        () => false,
      );
    await eventually(isWell, 'it is well again');
    probe.close();
    operator.disconnect();
  });

  it('tells of a Redis that is full until it has memory again', async () => {
    const operator = redis.client();
    const probe = redisProbe(redis.url, () => undefined);
    await operator.config('SET', 'maxmemory', '1');
    await expect(probe.ping()).rejects.toThrow('its memory is full');
    // It drops what it holds instead, which is another lack.
    await operator.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await expect(probe.ping()).resolves.toBeUndefined();
    await operator.config('SET', 'maxmemory-policy', 'noeviction');
    await operator.config('SET', 'maxmemory', '0');
    await expect(probe.ping()).resolves.toBeUndefined();
    probe.close();
    operator.disconnect();
  });

  it('tells of a Redis whose disk takes no more', async () => {
    const full = await TestRedis.start({ maxFileKb: 4 });
    const operator = full.client();
    const probe = redisProbe(full.url, () => undefined);
    await expect(probe.ping()).resolves.toBeUndefined();
    await operator.set('large', 'x'.repeat(10_000)).catch(() => undefined);
    await expect(operator.set('small', 'x')).rejects.toThrow('MISCONF');
    await expect(probe.ping()).rejects.toThrow('its disk is full or fails');
    // Another server has taken its place: the address leads there, though this one stays as it is.
    await operator.replicaof('127.0.0.1', 1);
    await expect(probe.ping()).rejects.toThrow('is a replica now');
    probe.close();
    operator.disconnect();
    await full.stop();
  });
});
