import type { Redis } from 'ioredis';
import type { MessagingLogger } from '../logger.js';
import { trimEvents } from './trim-events.js';

/**
 * Removes what every group has acknowledged from event streams, soon after something on them was acknowledged here.
 * Whichever group is the last to acknowledge trims; where nothing happens nothing is sent.
 */
export class EventTrimmer {
  private readonly due = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly redis: Redis,
    private readonly afterMs: number,
    private readonly log: MessagingLogger,
  ) {}

  /** Something on this stream was acknowledged, or may have been by a process before this one. */
  order(stream: string): void {
    if (this.isStopped) return;
    this.due.add(stream);
    this.timer ??= setTimeout(() => void this.trim(), this.afterMs).unref();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.due.clear();
  }

  private async trim(): Promise<void> {
    this.timer = undefined;
    const streams = [...this.due];
    this.due.clear();
    for (const stream of streams) {
      try {
        await trimEvents(this.redis, stream);
      } catch (error) {
        if (this.redis.status === 'ready')
          this.log.warn({ stream, err: error }, 'could not trim an event stream');
        this.order(stream);
      }
    }
  }
}
