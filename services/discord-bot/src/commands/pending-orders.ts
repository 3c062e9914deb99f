import { randomUUID } from 'node:crypto';
import type { ERASE_ORDER } from './erase-commands.js';
import type { ForgetOrder } from './memory-commands.js';

// An interaction's token lives 15 minutes; a confirmation that comes later could not be answered.
const KEEP_MS = 14 * 60_000;

/** What a button confirms. */
export type PendingOrder = ForgetOrder | typeof ERASE_ORDER;

interface Pending {
  userId: string;
  order: PendingOrder;
  until: number;
}

/** Orders that wait for their button. They are small, few and short-lived, so they need no store. */
export class PendingOrders {
  private readonly pending = new Map<string, Pending>();

  /** Returns the key for the button. */
  keep(userId: string, order: PendingOrder, now: number): string {
    for (const [key, { until }] of this.pending) if (until <= now) this.pending.delete(key);
    const key = randomUUID();
    this.pending.set(key, { userId, order, until: now + KEEP_MS });
    return key;
  }

  /** The order, once, and only for whom it was kept; undefined when it is gone or too old. */
  take(key: string, userId: string, now: number): PendingOrder | undefined {
    const found = this.pending.get(key);
    if (found?.userId !== userId) return undefined;
    this.pending.delete(key);
    return found.until > now ? found.order : undefined;
  }
}
