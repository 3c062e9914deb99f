/**
 * Shortest time between two recoveries. Where some messages meet a bug and others do not, each mix of the two looks like
 * one, and a message set aside may be the one that crashes the gateway.
 */
const MIN_APART_MS = 60_000;

/** Notices, in this process's memory, that the gateway takes messages again after it met bugs. */
export class Recovery {
  private hasMetBug = false;
  private lastAt = -Infinity;
  private upcoming = new AbortController();

  /** Aborts at the next recovery. */
  get next(): AbortSignal {
    return this.upcoming.signal;
  }

  noteBug(): void {
    this.hasMetBug = true;
  }

  /**
   * Notes that the gateway took a message.
   * @param now by a clock that is never set back
   */
  noteSuccess(now = performance.now()): void {
    if (!this.hasMetBug || now - this.lastAt < MIN_APART_MS) return;
    this.hasMetBug = false;
    this.lastAt = now;
    const ended = this.upcoming;
    this.upcoming = new AbortController();
    ended.abort();
  }
}
