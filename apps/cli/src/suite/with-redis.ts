import type { Redis } from 'ioredis';

/** Somebody waits at the terminal; a Redis in reach answers within milliseconds. */
const CONNECT_TIMEOUT_MS = 3_000;

/**
 * Works with a connection of its own, made once and closed after.
 * @throws the connection's own error when Redis is out of reach
 */
export async function withRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  let lastError: Error | undefined;
  // Few commands need it, and it would be a fifth of what every command takes to start.
  const { Redis: Connection } = await import('ioredis');
  const redis = new Connection(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', (error) => (lastError = error));
  try {
    // What it rejects with says only that the connection is closed; why was an event before.
    await redis.connect().catch((error: unknown) => {
      throw lastError ?? error;
    });
    return await work(redis);
  } finally {
    // One that never was ready has ended by itself, and closing it again would hold the process for 2 s.
    if (redis.status === 'ready') await redis.quit();
  }
}
