import { randomUUID } from 'node:crypto';

// An interaction's token lives 15 minutes: a later press could not be answered.
const KEEP_MS = 14 * 60_000;

interface PendingOrder<Order, Answer> {
  userId: string;
  order: Order;
  until: number;
  /** Answer to the first press, which may still be on its way. */
  answer?: Promise<Answer>;
}

/**
 * Keeps orders, and the answers to them, while their buttons may be pressed. They are small, few and short-lived, so they
 * need no store.
 */
export class PendingOrders<Order, Answer> {
  private readonly pending = new Map<string, PendingOrder<Order, Answer>>();

  /** Returns the key for the button. */
  keep(userId: string, order: Order, now: number): string {
    const key = randomUUID();
    this.pending.set(key, { userId, order, until: now + KEEP_MS });
    // An answer tells what was forgotten: it must not stay until somebody asks again.
    setTimeout(() => this.pending.delete(key), KEEP_MS).unref();
    return key;
  }

  /**
   * Decides on the order with the first press, and only for the person it was kept for. Any later press gets the same answer.
   * Undefined when the order is gone or too old.
   */
  decide(key: string, userId: string, now: number, answer: (order: Order) => Promise<Answer>) {
    const found = this.pending.get(key);
    if (found?.userId !== userId || found.until <= now) return undefined;
    return (found.answer ??= answer(found.order));
  }
}
