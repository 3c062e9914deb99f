import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { isReplyError } from './connection.js';
import type { MessagingLogger } from '../logger.js';

/**
 * Pause before the file is rewritten: by then the request that led to it, and its answer, are deleted as well, and
 * several orders in a row share one rewrite.
 */
const AFTER_MS = 10_000;
/** Longest wait for a rewrite in progress when the process ends. */
const WAIT_AT_CLOSE_MS = 2_000;
const ASK_AGAIN_MS = 100;

/**
 * Has Redis rewrite its append-only file. What was deleted, people's words too, stands in the old file until then, and
 * Redis rewrites it by itself only when it has doubled.
 */
export class DiskScrubber {
  private timer: NodeJS.Timeout | undefined;
  /** True from an order until a rewrite has begun after it. */
  private isDue = false;
  private scrubbing: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(
    private readonly redis: Redis,
    private readonly log: MessagingLogger,
  ) {}

  /** Orders a rewrite soon, one for all calls until then. A process that ends earlier does it at its end. */
  order(): void {
    this.isDue = true;
    if (this.isClosed) return;
    this.timer ??= setTimeout(() => {
      this.scrubbing = this.scrub();
    }, AFTER_MS).unref();
  }

  /** Orders a rewrite that is due now, waiting a moment for one in progress: that one may have begun too early. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.scrubbing;
    if (!this.isDue) return;
    const deadline = performance.now() + WAIT_AT_CLOSE_MS;
    while (this.redis.status === 'ready' && (await this.rewrite()) === 'later') {
      if (performance.now() > deadline) {
        this.log.warn({}, 'the latest deletions stay on disk until redis next rewrites its file');
        return;
      }
      await sleep(ASK_AGAIN_MS);
    }
  }

  private async scrub(): Promise<void> {
    this.timer = undefined;
    this.isDue = false;
    if ((await this.rewrite()) === 'later') this.order();
  }

  private async rewrite(): Promise<'done' | 'later'> {
    try {
      await this.redis.bgrewriteaof();
    } catch (error) {
      // A rewrite in progress may have begun too early, and Redis may be away.
      if (!isReplyError(error) || /in progress/.test((error as Error).message)) return 'later';
      this.log.error(
        { err: error },
        'redis refuses to rewrite its file: what was deleted is still on the disk',
      );
    }
    return 'done';
  }
}
