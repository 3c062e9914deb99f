import type { Redis } from 'ioredis';

/** A Redis in reach answers within milliseconds, and somebody waits at the terminal. */
const CONNECT_TIMEOUT_MS = 3_000;
/** Time that a command waits for an answer: on a busy machine Redis may be silent for some hundred milliseconds. */
const COMMAND_TIMEOUT_MS = 5_000;

/**
 * Works with a connection of its own, which is tried once and closed afterwards.
 * @throws the connection's own error when Redis is out of reach, or accepts and says nothing
 */
export async function withRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  let lastError: Error | undefined;
  // Few commands need it, and it would be a fifth of what every command takes to start.
  const { Redis: Connection } = await import('ioredis');
  const redis = new Connection(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', (error) => (lastError = error));
  try {
    // The rejection says only that the connection is closed; the reason came as an event.
    await redis.connect().catch((error: unknown) => {
      throw lastError ?? error;
    });
    return await work(redis);
  } finally {
    // A connection that never was ready has ended by itself; to close it again would take 2 s.
    if (redis.status === 'ready') await redis.quit().catch(() => redis.disconnect());
  }
}
