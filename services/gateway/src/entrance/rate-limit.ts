import { AppError } from '@kith/contracts';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** Opens the connection on which requests are counted. It gives up soon: no request waits for its count. */
export function openLimiter(url: string): Redis {
  const limiter = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // A Redis that is silent for this long counts as down.
    commandTimeout: 300,
    // After a frozen Redis the connection is made again within two seconds.
    socketTimeout: 2_000,
  });
  limiter.on('error', () => undefined); // health says it; the limit is counted in memory meanwhile
  return limiter;
}

/** Share and number of a minute's requests: with fewer left, a request waits for the count. */
const NEAR = { share: 0.1, requests: 10 };
/** Keys whose count is held in memory: more than are used in a minute. */
const MAX_KEYS = 10_000;

/** Limits the requests of a key in a minute, counted in Redis for all replicas, and by each alone while it is down. */
export class RateLimit {
  private readonly limiter: RateLimiterRedis;
  /** Requests left of each key when it was last counted, and until when that holds. */
  private readonly left = new Map<string, { requests: number; until: number }>();

  constructor(
    redis: Redis,
    keyPrefix: string,
    private readonly perMinute: number,
  ) {
    const insuranceLimiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
    this.limiter = new RateLimiterRedis({
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
    const counted = this.count(keyId);
    const left = this.left.get(keyId);
    const near = Math.max(this.perMinute * NEAR.share, NEAR.requests);
    if (!left || left.until <= performance.now() || left.requests <= near) return counted;
    left.requests -= 1;
    // A refusal counts for the requests after this one.
    counted.catch(() => undefined);
  }

  private async count(keyId: string): Promise<void> {
    try {
      const { remainingPoints, msBeforeNext } = await this.limiter.consume(keyId);
      if (this.left.size >= MAX_KEYS) this.left.clear();
      this.left.set(keyId, { requests: remainingPoints, until: performance.now() + msBeforeNext });
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      this.left.delete(keyId);
      throw tooMany(refusal.msBeforeNext);
    }
  }
}

/** Makes the refusal that says when to come back. */
export function tooMany(waitMs: number): AppError {
  const retryAfterS = Math.max(1, Math.ceil(waitMs / 1_000));
  return new AppError('rate_limited', `too many requests; try again in ${retryAfterS} s`, { retryAfterS });
}
