import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Purpose } from '../providers/provider.js';

/** Vectors that were paid for once. Losing it costs money and time, never a request. */
export interface VectorCache {
  /** Per key the vector, or null: not there, not readable, or the cache is out of reach. */
  read(keys: readonly string[]): Promise<(Float32Array | null)[]>;
  /** Keeps vectors; does nothing when the cache is out of reach. */
  write(entries: readonly { key: string; vector: Float32Array }[]): Promise<void>;
}

/** The cache key of a text: its content, where its vector can be compared, and what it is for. */
export function cacheKey(spaceId: string, purpose: Purpose, text: string): string {
  return `${spaceId}:${purpose}:${createHash('sha256').update(text).digest('base64url')}`;
}

/** Waiting for the cache longer than this is worse than computing again. */
const COMMAND_TIMEOUT_MS = 250;

export interface RedisVectorCacheSettings {
  url: string;
  keyPrefix: string;
  ttlMs: number;
  dimensions: number;
  /** Told of each failure, for a metric; the request goes on. */
  onFailure: (error: unknown) => void;
}

/** Vectors as little-endian float32 bytes under their key, each for so long after it was last written. */
export class RedisVectorCache implements VectorCache {
  private readonly redis: Redis;

  constructor(private readonly settings: RedisVectorCacheSettings) {
    this.redis = new Redis(settings.url, {
      keyPrefix: `${settings.keyPrefix}vectors:`,
      // No queue, no waiting: without Redis the provider is asked, at once.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT_MS,
      // A socket that is already gone is waited for in vain.
      disconnectTimeout: 200,
    });
    this.redis.on('error', () => undefined); // counted where a command fails
  }

  async read(keys: readonly string[]): Promise<(Float32Array | null)[]> {
    try {
      const values = await this.redis.mgetBuffer(...keys);
      return keys.map((_, index) => this.decode(values[index] ?? null));
    } catch (error) {
      this.settings.onFailure(error);
      return keys.map(() => null);
    }
  }

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

  /** A value of another length was not written by this version: it counts as absent. */
  private decode(bytes: Buffer | null): Float32Array | null {
    if (bytes?.length !== this.settings.dimensions * Float32Array.BYTES_PER_ELEMENT) return null;
    return new Float32Array(new Uint8Array(bytes).buffer);
  }
}
