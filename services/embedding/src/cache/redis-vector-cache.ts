import { Redis } from 'ioredis';

/** Longest wait for the cache: after that, computing again is quicker. */
const COMMAND_TIMEOUT_MS = 250;

export interface RedisVectorCacheSettings {
  url: string;
  keyPrefix: string;
  ttlMs: number;
  dimensions: number;
  /** Called for each failure, to count it; the request goes on. */
  onFailure: (error: unknown) => void;
}

/**
 * Keeps vectors that were paid for once, as little-endian float32 bytes, each for a set time after its last write.
 * Losing it costs money and time, never a request.
 */
export class RedisVectorCache {
  private readonly redis: Redis;

  constructor(private readonly settings: RedisVectorCacheSettings) {
    this.redis = new Redis(settings.url, {
      keyPrefix: `${settings.keyPrefix}vectors:`,
      // Without Redis the provider is asked at once, and nothing waits in a queue.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT_MS,
      // A lost connection does not hold up the end of the process.
      disconnectTimeout: 200,
    });
    this.redis.on('error', () => undefined); // counted where a command fails
  }

  /** Reads the vector of each key; null where there is none, or the cache is out of reach. */
  async read(keys: readonly string[]): Promise<(Float32Array | null)[]> {
    try {
      const values = await this.redis.mgetBuffer(...keys);
      return keys.map((_, index) => this.decode(values[index] ?? null));
    } catch (error) {
      this.settings.onFailure(error);
      return keys.map(() => null);
    }
  }

  /** Keeps vectors; does nothing when the cache is out of reach. */
  async write(entries: readonly { key: string; vector: Float32Array }[]): Promise<void> {
    const pipeline = this.redis.pipeline();
    for (const { key, vector } of entries) {
      const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
      pipeline.set(key, bytes, 'PX', this.settings.ttlMs);
    }
    try {
      const results = (await pipeline.exec()) ?? [];
      const failed = results.find(([error]) => error !== null);
      if (failed) this.settings.onFailure(failed[0]);
    } catch (error) {
      this.settings.onFailure(error);
    }
  }

  async close(): Promise<void> {
    await this.redis.quit().catch(() => this.redis.disconnect());
  }

  /** Reads a value. One of another length was not written by this version and counts as absent. */
  private decode(bytes: Buffer | null): Float32Array | null {
    if (bytes?.length !== this.settings.dimensions * Float32Array.BYTES_PER_ELEMENT) return null;
    return new Float32Array(new Uint8Array(bytes).buffer);
  }
}
