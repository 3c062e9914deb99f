/** Wait after work that failed, as when Postgres is away. */
const AGAIN_AFTER_MS = 5_000;
/** Least time from one round to the next, however much becomes due. */
const MIN_PAUSE_MS = 1_000;

/**
 * Does work when it is due, by the times that `due` gets and those that each round finds. A round now and then finds
 * work that nobody announced, because the process that would have done so died.
 */
export class DueWork {
  private timer: NodeJS.Timeout | undefined;
  private wakesAt = Infinity;
  private running: Promise<void> | null = null;
  private isStopped = true;

  /**
   * @param round does what is due, and returns when the next of what is left is due; null when nothing is left
   * @param atLeastEveryMs most time between two rounds, even when nothing is known to be due
   */
  constructor(
    private readonly round: () => Promise<Date | null>,
    private readonly atLeastEveryMs: number,
  ) {}

  /** Begins with a round. */
  start(): void {
    this.isStopped = false;
    void this.run();
  }

  /** Resolves when a round that is under way has ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Takes note that something will be due at this time. */
  due(at: Date): void {
    this.wakeAt(at.getTime());
  }

  private wakeAt(dueAt: number): void {
    const now = Date.now();
    // Also because a timer of more than 24 days goes off at once.
    const at = Math.min(dueAt, now + this.atLeastEveryMs);
    if (this.isStopped || at >= this.wakesAt) return;
    clearTimeout(this.timer);
    this.wakesAt = at;
    this.timer = setTimeout(() => this.wake(), Math.max(MIN_PAUSE_MS, at - now)).unref();
  }

  /** Begins a round, or after the running one another: that may have missed what became due meanwhile. */
  private wake(): void {
    this.wakesAt = Infinity;
    if (this.running) this.wakeAt(Date.now());
    else void this.run();
  }

  private run(): Promise<void> {
    return (this.running ??= this.runOnce().finally(() => (this.running = null)));
  }

  private async runOnce(): Promise<void> {
    clearTimeout(this.timer);
    this.wakesAt = Infinity;
    try {
      const next = await this.round();
      this.wakeAt(next?.getTime() ?? Infinity);
    } catch {
      this.wakeAt(Date.now() + AGAIN_AFTER_MS);
    }
  }
}
