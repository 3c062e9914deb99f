import { Redis } from 'ioredis';

/** Remembers which embedding model was begun with where the settings name none. */
export interface KeptModel {
  read(host: string): Promise<string | null>;
  /** Keeps the first one: a second process that chose at the same time gets what the first one chose. */
  keep(host: string, model: string): Promise<string>;
}

/** A start waits this long for Redis before it goes on with what the host lists. */
const COMMAND_TIMEOUT_MS = 3_000;

/** Keeps it in Redis, without an end. Lost with it, it is chosen again, and the same as long as its host serves it. */
export class RedisKeptModel implements KeptModel {
  private readonly redis: Redis;

  constructor({ url, keyPrefix }: { url: string; keyPrefix: string }) {
    this.redis = new Redis(url, {
      keyPrefix: `${keyPrefix}vectors:default-model:`,
      commandTimeout: COMMAND_TIMEOUT_MS,
      // A socket that is already gone is waited for in vain.
      disconnectTimeout: 200,
      maxRetriesPerRequest: 1,
    });
    this.redis.on('error', () => undefined); // told where a command fails
  }

  async read(host: string): Promise<string | null> {
    return this.redis.get(host).catch(() => null);
  }

  async keep(host: string, model: string): Promise<string> {
    const before = await this.redis.set(host, model, 'NX', 'GET').catch(() => null);
    return before ?? model;
  }

  close(): void {
    this.redis.disconnect();
  }
}
