import { AppError } from '@kith/contracts';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** The limit of erasures, which stop no flood and cost the most when they are a mistake. */
export const ERASE_LIMIT = Symbol('ERASE_LIMIT');

/** Requests a key may make in a minute, counted in Redis for all replicas, and by each alone while it is down. */
export class RateLimit {
  readonly #limiter: RateLimiterRedis;

  constructor(redis: Redis, keyPrefix: string, perMinute: number) {
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

  /** @throws AppError `rate_limited` that says when to come back */
  async take(keyId: string): Promise<void> {
    try {
      await this.#limiter.consume(keyId);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw tooMany(refusal.msBeforeNext);
    }
  }
}

/** The refusal that says when to come back. */
export function tooMany(waitMs: number): AppError {
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1_000));
  return new AppError('rate_limited', `too many requests; try again in ${retryAfterS} s`, { retryAfterS });
}
