import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { redisProbe } from './redis-probe.js';
import { TestRedis } from './testing-redis.js';

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
});
