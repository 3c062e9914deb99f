import { once } from 'node:events';
import { Redis } from 'ioredis';

/** Opens a connection that tells whether Redis answers and takes writes. `onBroken` hears of each time that it breaks. */
export function redisProbe(url: string, onBroken: () => void): { ping(): Promise<void>; close(): void } {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    connectTimeout: 1_000,
    // A connection that stays silent is opened anew.
    socketTimeout: 5_000,
  });
  redis.on('error', () => undefined); // said by ping
  redis.on('close', onBroken);
  // A process that has only begun is still connecting: to call that a lack would be a false alarm at each start.
  const begun = Promise.race([once(redis, 'ready'), once(redis, 'close')]).catch(() => undefined);
  return {
    ping: async () => {
      await begun;
      if (redis.status !== 'ready') throw new Error('not connected');
      const info = await redis.info();
      if (/^role:slave/m.test(info)) {
        // After a failover the address leads to another server.
        redis.disconnect(true);
        throw new Error('Redis is a replica now and takes no writes');
      }
      if (/^aof_last_write_status:err/m.test(info))
        throw new Error('Redis takes no writes: its disk is full or fails');
    },
    close: () => redis.disconnect(),
  };
}
