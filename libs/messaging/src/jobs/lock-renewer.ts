import { LockManager } from 'bullmq';

/** Renews the locks of the jobs in work, and has no timer while there are none. */
export class LockRenewer extends LockManager {
  private timer: NodeJS.Timeout | undefined;

  override start(): void {}

  override trackJob(...job: Parameters<LockManager['trackJob']>): ReturnType<LockManager['trackJob']> {
    this.timer ??= setInterval(() => void this.renew(), this.opts.lockRenewTime / 2).unref();
    return super.trackJob(...job);
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
    const now = Date.now();
    const due = [...this.trackedJobs].filter(([, { ts }]) => (ts || 0) + this.opts.lockRenewTime / 2 < now);
    for (const [, tracked] of due) tracked.ts = now;
    if (due.length > 0) await this.extendLocks(due.map(([id]) => id));
  }
}
