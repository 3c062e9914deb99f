import type { Redis } from 'ioredis';
import type { MessagingLogger } from '../logger.js';
import type { ConsumerSettings, ClaimedEntry } from './claimed-entry.js';

type HeldEntry = Pick<ClaimedEntry, 'stream' | 'id'>;

/**
 * Tells Redis, three times within the claim time, that entries are still being worked on: their idle
 * time starts anew, and nobody takes them over. A replica that dies stops saying so.
 */
export class ClaimRenewer {
  private readonly held = new Map<HeldEntry, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly redis: Redis,
    private readonly settings: Pick<ConsumerSettings, 'group' | 'consumer' | 'claimIdleMs'>,
    private readonly log: MessagingLogger,
  ) {}

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  add(entry: HeldEntry): void {
    this.held.set(entry, performance.now());
    this.timer ??= setInterval(() => void this.renew(), this.settings.claimIdleMs / 3).unref();
  }

  remove(entry: HeldEntry): void {
    this.held.delete(entry);
  }

  private async renew(): Promise<void> {
    if (this.held.size === 0) {
      this.stop();
      return;
    }
    if (this.redis.status !== 'ready') return;
    const { group, consumer, claimIdleMs } = this.settings;
    const now = performance.now();
    // Also one that is overdue, as after an outage of Redis: it is still worked on, whoever else has it by now.
    const due = [...this.held].filter(([, renewedAt]) => now - renewedAt >= claimIdleMs / 4);
    for (const [stream, held] of Map.groupBy(due, ([entry]) => entry.stream)) {
      const entries = held.map(([entry]) => entry);
      try {
        // JUSTID: not a new delivery, so the count of deliveries stays.
        await this.redis.xclaim(stream, group, consumer, 0, ...entries.map(({ id }) => id), 'JUSTID');
        for (const entry of entries) if (this.held.has(entry)) this.held.set(entry, now);
      } catch (error) {
        this.log.warn({ stream, err: error }, 'could not renew the hold on entries');
      }
    }
  }
}
