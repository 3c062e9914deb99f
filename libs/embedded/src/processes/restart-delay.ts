/** Shortest delay: a process that died by chance is soon back. */
const FIRST_MS = 500;
/** Time after which a process counts as stable: the next death is no part of an earlier crash loop. */
const STABLE_MS = 30_000;

/** Delay before a process is started again, doubled each time: a crash loop must not take the whole processor. */
export class RestartDelay {
  private nextMs = FIRST_MS;

  constructor(private readonly maxMs: number) {}

  /** Notes how long a process ran. After a stable run the next delay is the shortest. */
  noteRun(ranMs: number): void {
    if (ranMs > STABLE_MS) this.nextMs = FIRST_MS;
  }

  /** Returns the delay before the next start. */
  next(): number {
    const delayMs = this.nextMs;
    this.nextMs = Math.min(delayMs * 2, this.maxMs);
    return delayMs;
  }
}
