import { lockedError } from '@kith/contracts';

/**
 * Lets a few pieces of one owner's work run at once, and has the others wait. Work of one person waits for that person's
 * locks, and would meanwhile hold the connections that others need.
 */
export class Shares {
  private readonly shares = new Map<string, { running: number; waiting: (() => void)[] }>();

  /** @param waitMs how long work may wait for its turn */
  constructor(private readonly waitMs: number) {}

  /** Runs work once fewer than `max` of its owner run. @throws AppError as `lockedError` makes it, where that takes too long */
  async run<T>(owner: string, max: number, work: () => Promise<T>): Promise<T> {
    const share = this.shares.get(owner) ?? { running: 0, waiting: [] };
    this.shares.set(owner, share);
    if (share.running < max) share.running += 1;
    else await this.turnIn(share.waiting);
    try {
      return await work();
    } finally {
      const next = share.waiting.shift();
      if (next) next();
      else share.running -= 1;
      if (share.running === 0) this.shares.delete(owner);
    }
  }

  private turnIn(waiting: (() => void)[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(lockedError(new Error('other work of its owner was under way')));
      }, this.waitMs);
      waiting.push(begin);
    });
  }
}
