import type { Redis } from 'ioredis';

/** Two machines' quartzes drift apart by far less than a request's patience in this time. */
const TRUSTED_FOR_MS = 30_000;

/**
 * Redis' time, without asking it each time: the clock that entry ids are made with, and the same one for every
 * process. Between settings it runs on the monotonic clock, so setting this machine's clock moves nothing. It is set
 * with each connection, and when it is used and was set long ago: at rest nothing is sent.
 */
export class RedisClock {
  private known: { readonly redisMs: number; readonly at: number } | null = null;
  private asking: Promise<number | null> | null = null;
  private readonly set = () => void this.ask();

  constructor(private readonly redis: Redis) {
    redis.on('ready', this.set);
    if (redis.status === 'ready') this.set();
  }

  /** Milliseconds since 1970; null until Redis was asked for the first time. */
  now(): number | null {
    if (this.known && !this.isTrusted && this.redis.status === 'ready') this.set();
    return this.read();
  }

  /** True while the time from `now` is good enough to refuse something by it. */
  get isTrusted(): boolean {
    return this.known !== null && performance.now() - this.known.at < TRUSTED_FOR_MS;
  }

  stop(): void {
    this.redis.off('ready', this.set);
  }

  /** Sets it, and returns the time; null when that can't be known. */
  ask(): Promise<number | null> {
    return (this.asking ??= this.askRedis().finally(() => (this.asking = null)));
  }

  private async askRedis(): Promise<number | null> {
    try {
      const [seconds, micros] = await this.redis.time();
      this.known = { redisMs: Number(seconds) * 1_000 + Number(micros) / 1_000, at: performance.now() };
    } catch {
      // Away: what was known still runs, and the next connection sets it.
    }
    return this.read();
  }

  private read(): number | null {
    return this.known && this.known.redisMs + (performance.now() - this.known.at);
  }
}
