import { join } from 'node:path';
import { startPostgres, type RunningPostgres } from './start-postgres.js';
import { recordProcess } from '../processes/process-records.js';
import { startRedis, type RunningRedis } from './start-redis.js';
import type { StackOptions } from '../settings/stack-options.js';

export const DATABASE = 'kith';

/** Starts both stores, or none: what has started ends when the other one fails. */
export async function startStores(
  options: Pick<StackOptions, 'directory' | 'ports' | 'secrets' | 'durable' | 'onProgress' | 'signal'>,
  redisUsers: readonly string[] = [],
): Promise<[RunningPostgres, RunningRedis]> {
  const { directory, ports, secrets, durable, onProgress, signal } = options;
  const [postgres, redis] = await Promise.allSettled([
    startPostgres({
      directory: join(directory, 'postgres'),
      port: ports.postgres,
      password: secrets.ownerPassword,
      durable,
      onDeath: (why) => onProgress?.(`PostgreSQL is started again: ${why}`),
      onRepair: (progress) => onProgress?.(`PostgreSQL repairs what a crash left: ${progress}`),
      signal,
    }),
    startRedis({
      directory: join(directory, 'redis'),
      port: ports.redis,
      password: secrets.redisPassword,
      users: redisUsers,
      onSpawn: (child) => recordProcess(directory, 'redis', child),
      onDeath: (why) => onProgress?.(`Redis is started again: ${why}`),
      onMended: () => onProgress?.('Redis: its file was damaged, and is cut off at the damage'),
    }),
  ]);
  if (postgres.status === 'fulfilled' && redis.status === 'fulfilled') return [postgres.value, redis.value];
  if (postgres.status === 'fulfilled') await postgres.value.stop();
  if (redis.status === 'fulfilled') await redis.value.stop();
  throw postgres.status === 'rejected' ? postgres.reason : (redis as PromiseRejectedResult).reason;
}
