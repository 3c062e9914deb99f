import { AppError } from '@kith/contracts';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** The limit of erasures, which stop no flood and cost the most when they are a mistake. */
export const ERASE_LIMIT = Symbol('ERASE_LIMIT');

/** While more than this share of a minute's requests is left, and more than so many, nobody waits for the count. */
const NEAR = { share: 0.1, requests: 10 };
/** As many keys as a minute sees, and more. */
const MAX_KEYS = 10_000;

/** Requests a key may make in a minute, counted in Redis for all replicas, and by each alone while it is down. */
export class RateLimit {
  readonly #limiter: RateLimiterRedis;
  /** What was left of each key's requests when it was last counted, and until when that holds. */
  readonly #left = new Map<string, { requests: number; until: number }>();

  constructor(
    redis: Redis,
    keyPrefix: string,
    private readonly perMinute: number,
  ) {
    const insuranceLimiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
    this.#limiter = new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `${keyPrefix}rate`,
      points: perMinute,
      duration: 60,
      insuranceLimiter,
      // Past the limit a key is refused from memory: a flood costs no round trip to Redis.
      inMemoryBlockOnConsumed: perMinute,
      rejectIfRedisNotReady: true,
    });
  }

  /**
   * Counts a request. It waits for the count only where the key comes near its limit.
   * @throws AppError `rate_limited` that says when to come back
   */
  async take(keyId: string): Promise<void> {
    const counted = this.#count(keyId);
    const left = this.#left.get(keyId);
    const near = Math.max(this.perMinute * NEAR.share, NEAR.requests);
    if (!left || left.until <= performance.now() || left.requests <= near) return counted;
    left.requests -= 1;
    // What it says of this request, the next ones go by.
    counted.catch(() => undefined);
  }

  async #count(keyId: string): Promise<void> {
    try {
      const { remainingPoints, msBeforeNext } = await this.#limiter.consume(keyId);
      if (this.#left.size >= MAX_KEYS) this.#left.clear();
      this.#left.set(keyId, { requests: remainingPoints, until: performance.now() + msBeforeNext });
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      this.#left.delete(keyId);
      throw tooMany(refusal.msBeforeNext);
    }
  }
}

/** The refusal that says when to come back. */
export function tooMany(waitMs: number): AppError {
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1_000));
  return new AppError('rate_limited', `too many requests; try again in ${retryAfterS} s`, { retryAfterS });
}
