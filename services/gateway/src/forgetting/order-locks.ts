import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@kith/contracts';
import type { Database } from '@kith/database';

/** Pause between two tries to get a lock: an order takes some tenths of a second. */
const TRY_EVERY_MS = 50;
/** Orders locked at once in this process. Each holds a connection of the pool, and needs more for its work. */
const MAX_LOCKED = 3;

/**
 * Locks that let one process at a time carry out an order to forget, or a change of a person's private talk. Every process
 * has one instance, because its bound protects the connection pool.
 */
export class OrderLocks {
  private locked = 0;

  constructor(private readonly database: Database) {}

  /** Runs work under the lock of an order or a person. @throws AppError `unavailable` if it is still taken after `waitMs` */
  async alone<T>(orderId: string, waitMs: number, work: () => Promise<T>): Promise<T> {
    const until = performance.now() + waitMs;
    for (;;) {
      const done = await this.tryAlone(orderId, work);
      if (done) return done.result;
      if (performance.now() >= until)
        throw new AppError('unavailable', 'this order is being carried out already', { locked: true });
      await sleep(TRY_EVERY_MS);
    }
  }

  private async tryAlone<T>(orderId: string, work: () => Promise<T>): Promise<{ result: T } | null> {
    if (this.locked >= MAX_LOCKED) return null;
    this.locked += 1;
    try {
      let done: { result: T } | null = null;
      await this.database.withLock(`gateway.forget ${orderId}`, async () => {
        done = { result: await work() };
      });
      return done;
    } finally {
      this.locked -= 1;
    }
  }
}
