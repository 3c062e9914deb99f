import { randomUUID } from 'node:crypto';

// An interaction's token lives 15 minutes: a later press could not be answered.
const KEEP_MS = 14 * 60_000;

/** Keeps orders until their button is pressed. They are small, few and short-lived, so they need no store. */
export class PendingOrders<Order> {
  private readonly pending = new Map<string, { userId: string; order: Order; until: number }>();

  /** Returns the key for the button. */
  keep(userId: string, order: Order, now: number): string {
    for (const [key, { until }] of this.pending) if (until <= now) this.pending.delete(key);
    const key = randomUUID();
    this.pending.set(key, { userId, order, until: now + KEEP_MS });
    return key;
  }

  /** Takes the order, once, and only for the person it was kept for; undefined when it is gone or too old. */
  take(key: string, userId: string, now: number): Order | undefined {
    const found = this.pending.get(key);
    if (found?.userId !== userId) return undefined;
    this.pending.delete(key);
    return found.until > now ? found.order : undefined;
  }
}
