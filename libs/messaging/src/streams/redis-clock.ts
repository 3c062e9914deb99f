import type { Redis } from 'ioredis';

/** Two machines' quartzes drift apart by far less than a request's patience in this time. */
const SET_EVERY_MS = 30_000;

/**
 * Redis' time, without asking it each time: the clock that entry ids are made with, and the same one for every
 * process. Between settings it runs on the monotonic clock, so setting this machine's clock moves nothing.
 */
export class RedisClock {
  private known: { readonly redisMs: number; readonly at: number } | null = null;
  private readonly timer: NodeJS.Timeout;
  private readonly set = () => void this.ask();

  constructor(private readonly redis: Redis) {
    this.timer = setInterval(this.set, SET_EVERY_MS);
    this.timer.unref();
    redis.on('ready', this.set);
    if (redis.status === 'ready') this.set();
  }

  /** Milliseconds since 1970; null until Redis was asked for the first time. */
  now(): number | null {
    return this.known && this.known.redisMs + (performance.now() - this.known.at);
  }

  stop(): void {
    clearInterval(this.timer);
    this.redis.off('ready', this.set);
  }

  /** Sets it, and tells what time it is; null when that is not to be known. */
  async ask(): Promise<number | null> {
    try {
      const [seconds, micros] = await this.redis.time();
      this.known = { redisMs: Number(seconds) * 1_000 + Number(micros) / 1_000, at: performance.now() };
    } catch {
      // Away: what was known still runs, and the next connection sets it.
    }
    return this.now();
  }
}
