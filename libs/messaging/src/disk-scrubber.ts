import type { Redis } from 'ioredis';
import { isReplyError } from './connection.js';
import type { MessagingLogger } from './logger.js';

/**
 * Pause before the file is rewritten: by then the request that led to it, and its answer, are deleted as well, and
 * several orders in a row share one rewrite.
 */
const AFTER_MS = 10_000;

/**
 * Has Redis rewrite its append-only file. What was deleted, people's words too, stands in the old file until then, and
 * Redis rewrites it by itself only when it has doubled.
 */
export class DiskScrubber {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly redis: Redis,
    private readonly log: MessagingLogger,
  ) {}

  /** Orders a rewrite soon, one for all calls until then. A process that ends earlier does it at its end. */
  order(): void {
    this.timer ??= setTimeout(() => void this.scrub(), AFTER_MS).unref();
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
      // A rewrite in progress may have begun too early, and Redis may be away: try again later.
      if (!isReplyError(error) || /in progress/.test((error as Error).message)) {
        this.order();
        return;
      }
      this.log.error(
        { err: error },
        'redis refuses to rewrite its file: what was deleted is still on the disk',
      );
    }
  }
}
