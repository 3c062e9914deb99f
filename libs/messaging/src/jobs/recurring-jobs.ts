import { firstOf, type JobContract } from '@kith/contracts';
import type { Redis } from 'ioredis';
import type { MessagingLogger } from '../logger.js';
import type { JobQueues, Recurrence, RecurringJob } from './job-queues.js';

interface Recurring extends RecurringJob {
  readonly contract: JobContract;
  /** False until its times were written once: they may differ from what an earlier process left. */
  written: boolean;
}

/** Time a recurring job may be gone unnoticed while the connection holds, as after FLUSHALL. */
const CHECK_EVERY_MS = 60_000;

/**
 * Keeps jobs recurring for as long as this process runs. When they come up next is kept in Redis, which may lose it, so
 * that is checked each minute and whenever the connection is back.
 */
export class RecurringJobs {
  private readonly jobs = new Map<string, Recurring>();
  private timer: NodeJS.Timeout | undefined;
  private readonly check = () => void this.checkAll();

  constructor(
    private readonly queues: JobQueues,
    private readonly connection: Redis,
    private readonly log: MessagingLogger,
    private readonly checkEveryMs = CHECK_EVERY_MS,
  ) {}

  /** Makes a job recur as soon as Redis is there; the same payload again replaces its times. */
  keep(contract: JobContract, payload: unknown, recurrence: Recurrence): void {
    const job = { contract, payload, recurrence, written: false };
    this.jobs.set(`${contract.pattern} ${contract.idOf(payload)}`, job);
    if (!this.timer) {
      this.timer = setInterval(this.check, this.checkEveryMs).unref();
      this.connection.on('ready', this.check);
    }
    if (this.connection.status === 'ready') void this.ensure(job);
  }

  close(): void {
    clearInterval(this.timer);
    this.connection.off('ready', this.check);
    this.jobs.clear();
  }

  private async checkAll(): Promise<void> {
    if (this.connection.status !== 'ready') return;
    for (const jobs of Map.groupBy(this.jobs.values(), ({ contract }) => contract.pattern).values()) {
      if (await this.allRecur(jobs)) continue;
      for (const job of jobs) await this.ensure(job);
    }
  }

  /** Asks for all jobs of a contract at once; false also when there is no answer. */
  private async allRecur(jobs: readonly Recurring[]): Promise<boolean> {
    return (
      jobs.every(({ written }) => written) &&
      (await this.queues.allRecur(firstOf(jobs).contract, jobs).catch(() => false))
    );
  }

  private async ensure(job: Recurring): Promise<void> {
    const { contract, payload, recurrence } = job;
    const { pattern } = contract;
    try {
      if (job.written) {
        if (await this.queues.recurs(contract, job)) return;
        this.log.warn({ pattern }, 'a recurring job was lost, it is scheduled anew');
      }
      await this.queues.schedule(contract, payload, recurrence);
      job.written = true;
    } catch (error) {
      this.log.warn({ pattern, err: error }, 'a recurring job is not scheduled yet');
    }
  }
}
