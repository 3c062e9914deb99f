/** After work that failed, as when Postgres is away. */
const AGAIN_AFTER_MS = 5_000;
/** However much becomes due, one round comes so long after the other. */
const LEAST_PAUSE_MS = 1_000;

/**
 * Work that is done when it is due: by times that it is told of as they arise, and those that each round finds. What
 * nobody told of, because its process died, is found by a round that comes now and then.
 */
export class DueWork {
  private timer: NodeJS.Timeout | undefined;
  private wakesAt = Infinity;
  private running: Promise<void> | null = null;
  private isStopped = true;

  /**
   * @param round does what is due, and says when the next of what is left will be; null when nothing is
   * @param atLeastEveryMs between two rounds that nothing was known to be due for
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

  /** Something will be due at this time. */
  due(at: Date): void {
    this.wakeAt(at.getTime());
  }

  private wakeAt(at: number): void {
    if (this.isStopped || at >= this.wakesAt) return;
    clearTimeout(this.timer);
    this.wakesAt = at;
    this.timer = setTimeout(() => this.wake(), Math.max(LEAST_PAUSE_MS, at - Date.now())).unref();
  }

  /** True when work became due during a round, which may have missed it. */
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
      this.wakeAt(Math.min(next?.getTime() ?? Infinity, Date.now() + this.atLeastEveryMs));
    } catch {
      this.wakeAt(Date.now() + AGAIN_AFTER_MS);
    }
  }
}
