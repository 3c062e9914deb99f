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
      const info = readInfo(await redis.info());
      if (info.get('role') === 'slave') {
        // After a failover the address leads to another server.
        redis.disconnect(true);
        throw new Error('Redis is a replica now and takes no writes');
      }
      const lack = lackOfRoom(info);
      if (lack) throw new Error(`Redis takes no writes: ${lack.why}`);
    },
    close: () => redis.disconnect(),
  };
}

/** Reads what Redis says of itself, by name. */
export function readInfo(info: string): ReadonlyMap<string, string> {
  return new Map(info.split('\r\n').map((line) => line.split(':', 2) as [string, string]));
}

/** Says why Redis refuses to write, and what ends that; null while it has room. What it drops instead is another lack. */
export function lackOfRoom(info: ReadonlyMap<string, string>): { why: string; mend: string } | null {
  if (info.get('aof_last_write_status') === 'err')
    return { why: 'its disk is full or fails', mend: 'free room on its disk' };
  const numberOf = (name: string) => Number(info.get(name) ?? 0);
  const limit = numberOf('maxmemory');
  const counted = numberOf('used_memory') - numberOf('mem_not_counted_for_evict');
  if (limit === 0 || counted <= limit || info.get('maxmemory_policy') !== 'noeviction') return null;
  return { why: 'its memory is full', mend: 'raise its maxmemory' };
}
