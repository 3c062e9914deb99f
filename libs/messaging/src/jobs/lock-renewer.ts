import { LockManager } from 'bullmq';

/** Renews the locks of the jobs in work, and has no timer while there are none. */
export class LockRenewer extends LockManager {
  private timer: NodeJS.Timeout | undefined;

  override start(): void {}

  override trackJob(
    ...[id, token, , ...rest]: Parameters<LockManager['trackJob']>
  ): ReturnType<LockManager['trackJob']> {
    this.timer ??= setInterval(() => void this.renew(), this.opts.lockRenewTime / 2).unref();
    // BullMQ gives the time of day, which may be set back.
    return super.trackJob(id, token, performance.now(), ...rest);
  }

  override async close(): Promise<void> {
    clearInterval(this.timer);
    await super.close();
  }

  private async renew(): Promise<void> {
    if (this.trackedJobs.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
      return;
    }
    const now = performance.now();
    const due = [...this.trackedJobs].filter(([, { ts }]) => ts + this.opts.lockRenewTime / 2 < now);
    for (const [, tracked] of due) tracked.ts = now;
    if (due.length > 0) await this.extendLocks(due.map(([id]) => id));
  }
}
