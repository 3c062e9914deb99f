import type { Redis } from 'ioredis';
import { isReplyError } from './connection-errors.js';
import type { MessagingLogger } from './logger.js';

/** By then the request that led to it, and its answer, are deleted as well; and what is forgotten in a row is one. */
const AFTER_MS = 10_000;

/**
 * Has Redis write its append-only file anew: what was deleted stands in the old one until then, words of people among
 * it. Redis does so by itself only when the file has doubled.
 */
export class DiskScrubber {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly redis: Redis,
    private readonly log: MessagingLogger,
    private readonly afterMs = AFTER_MS,
  ) {}

  /** Soon, once for all calls until then. A process that ends earlier does it at its end. */
  order(): void {
    if (this.timer) return;
    this.timer = setTimeout(() => void this.scrub(), this.afterMs);
    this.timer.unref();
  }

  async close(): Promise<void> {
    if (this.timer && this.redis.status === 'ready') await this.scrub();
    clearTimeout(this.timer);
  }

  private async scrub(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    try {
      await this.redis.bgrewriteaof();
    } catch (error) {
      // One that runs may have begun before: again after it. Redis that is away has its file rewritten when it is back.
      if (!isReplyError(error) || /in progress/.test((error as Error).message)) {
        this.order();
        return;
      }
      this.log.error(
        { err: error },
        'redis does not write its file anew: what was deleted is still on the disk',
      );
    }
  }
}
