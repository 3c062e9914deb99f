import { Redis } from 'ioredis';

/** Time that a start waits for Redis before it goes on with what the host lists. */
const COMMAND_TIMEOUT_MS = 3_000;

/**
 * Remembers in Redis which embedding model was begun with where the settings name none. Should Redis lose it, the same
 * model is chosen again as long as its host serves it.
 */
export class RedisKeptModel {
  private readonly redis: Redis;

  constructor({ url, keyPrefix }: { url: string; keyPrefix: string }) {
    this.redis = new Redis(url, {
      keyPrefix: `${keyPrefix}vectors:default-model:`,
      commandTimeout: COMMAND_TIMEOUT_MS,
      // A lost connection does not hold up the start.
      disconnectTimeout: 200,
      maxRetriesPerRequest: 1,
    });
    this.redis.on('error', () => undefined); // reported where a command fails
  }

  async read(host: string): Promise<string | null> {
    return this.redis.get(host).catch(() => null);
  }

  /** Keeps the first choice and returns it: a process that chose at the same time gets that one, too. */
  async keep(host: string, model: string): Promise<string> {
    const before = await this.redis.set(host, model, 'NX', 'GET').catch(() => null);
    return before ?? model;
  }

  close(): void {
    this.redis.disconnect();
  }
}
