import { AppError, DAY_MS, present, type JobContract } from '@kith/contracts';
import { type JobsOptions, type JobSchedulerTemplateOptions, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { withinReach } from '../redis/connection.js';
import { correlationIdOrNew } from '../correlation.js';
import { jobPrefix } from '../streams/keys.js';

/** Data of a job in Redis. A recurring job has no correlation id: each run begins its own. */
export interface JobEnvelope {
  readonly correlationId?: string;
  readonly payload: unknown;
  /** Part of a job whose process died. */
  readonly isSuspect?: boolean;
}

/**
 * Interval of a recurring job. There is no time of day: a run that came due while nothing was up would be lost, so
 * a job that has its hour looks every so often whether that has come.
 */
export interface Recurrence {
  readonly everyMs: number;
}

/** A job that recurs. */
export interface RecurringJob {
  readonly payload: unknown;
  readonly recurrence: Recurrence;
}

export interface JobOptions {
  /** Not before this time from now. It begins anew where the clock was set back meanwhile: it stands for no time of day. */
  readonly delayMs?: number;
  /** 0 is first. */
  readonly priority?: number;
  /** Part of a job whose process died: such parts are done one at a time. */
  readonly isSuspect?: boolean;
  /** A job that failed for good stays failed: it may have failed since whoever orders it looked. */
  readonly keepsFailed?: boolean;
}

// BullMQ's own bound.
const LOWEST_PRIORITY = 2_097_152;

/** A job that used up its tries. */
export interface FailedJob {
  readonly id: string;
  readonly pattern: string;
  readonly payload: unknown;
  readonly reason: string;
  readonly attempts: number;
  /** ISO 8601. */
  readonly failedAt: string;
}

// Clocks of two machines differ by less. A recurrence whose next run is this overdue may be broken: the last run ended
// without queueing another.
export const RUNS_LATE_MS = 30_000;
// Failed jobs stay for an operator to look at and retry; the truth is in Postgres, not here.
const KEEP_FAILED_S = (14 * DAY_MS) / 1_000;
// Each is read with its payload: some hundred kilobytes at once.
const FAILED_PAGE = 200;

/** The sending side of BullMQ: one queue per job contract, all over one connection. */
export class JobQueues {
  private readonly queues = new Map<string, Queue<JobEnvelope>>();

  constructor(
    private readonly connection: Redis,
    private readonly keyPrefix: string,
    private readonly withinMs: number,
  ) {}

  /**
   * Queues a job under the id its payload gives it. Where that job waits, is delayed or runs already, nothing happens.
   * Where it failed for good, it gets its tries anew unless `keepsFailed` is set.
   */
  async add(
    contract: JobContract,
    payload: unknown,
    { delayMs = 0, priority = 0, isSuspect = false, keepsFailed = false }: JobOptions = {},
  ): Promise<void> {
    const jobId = contract.idOf(payload);
    if (jobId.includes(':'))
      throw new AppError('internal', `${contract.pattern}: a job id must not contain ":"`);
    const envelope: JobEnvelope = {
      correlationId: correlationIdOrNew(),
      payload,
      ...(isSuspect && { isSuspect }),
    };
    const rank = Math.min(priority, LOWEST_PRIORITY);
    const options = { ...optionsOf(contract), jobId, delay: delayMs, priority: rank };
    await this.on(contract, 'queueing', async (queue) => {
      // Sent together with the job: it costs no further round trip.
      const [failed] = await Promise.all([
        this.connection.zscore(queue.toKey('failed'), jobId),
        queue.add(contract.pattern, envelope, options),
      ]);
      if (failed !== null && !keepsFailed) await retry(queue, jobId);
    });
  }

  /** Makes a job recur; the same payload again replaces its times. */
  async schedule(contract: JobContract, payload: unknown, { everyMs }: Recurrence): Promise<void> {
    const opts: JobSchedulerTemplateOptions = optionsOf(contract);
    const run = { name: contract.pattern, data: { payload }, opts };
    const id = contract.idOf(payload);
    await this.on(contract, 'scheduling', async (queue) => {
      // BullMQ would keep the time of its next run.
      const next = await this.connection.zscore(queue.toKey('repeat'), id);
      if (isAhead(Number(next), everyMs)) await queue.removeJobScheduler(id);
      await queue.upsertJobScheduler(id, { every: everyMs }, run);
    });
  }

  /** Ends the recurrence of a job, by its id: the payload of one that an earlier version left can't be read. */
  async unschedule(contract: JobContract, id: string): Promise<void> {
    await this.on(contract, 'unscheduling', (queue) => queue.removeJobScheduler(id));
  }

  /** Tells by two questions whether all of these jobs come up again, however many. After false, ask `recurs` of each. */
  allRecur(contract: JobContract, jobs: readonly RecurringJob[]): Promise<boolean> {
    const ids = jobs.map(({ payload }) => contract.idOf(payload));
    return this.on(contract, 'looking for the schedules of', async (queue) => {
      const nexts = (await this.connection.zmscore(queue.toKey('repeat'), ...ids)).map(Number);
      if (nexts.some((next) => next < Date.now() - RUNS_LATE_MS)) return false;
      if (jobs.some(({ recurrence }, n) => isAhead(present(nexts[n]), recurrence.everyMs))) return false;
      const keys = ids.flatMap((id, n) => [`repeat:${id}`, `repeat:${id}:${nexts[n]}`]);
      return (await this.connection.exists(...keys.map((key) => queue.toKey(key)))) === keys.length;
    });
  }

  /** Tells whether this job comes up again in time: false when its recurrence, or only its next run, was lost. */
  recurs(contract: JobContract, { payload, recurrence: { everyMs } }: RecurringJob): Promise<boolean> {
    const id = contract.idOf(payload);
    return this.on(contract, 'looking for the schedule of', async (queue) => {
      const next = (await queue.getJobScheduler(id))?.next;
      // The run after it is queued when this one begins. A run that ended without that is the last.
      const run = next && !isAhead(next, everyMs) ? await queue.getJob(`repeat:${id}:${next}`) : undefined;
      return run !== undefined && run.finishedOn === undefined;
    });
  }

  /** When this job comes up next; null when it does not recur. */
  async nextRunOf(contract: JobContract, payload: unknown): Promise<Date | null> {
    const scheduler = await this.on(contract, 'looking for the schedule of', (queue) =>
      queue.getJobScheduler(contract.idOf(payload)),
    );
    return scheduler?.next ? new Date(scheduler.next) : null;
  }

  /** A page of the jobs that used up their tries, oldest first: one that fails meanwhile moves no other. An empty one ends them. */
  async listFailed(contract: JobContract, page = 0): Promise<FailedJob[]> {
    const from = page * FAILED_PAGE;
    const jobs = await this.on(contract, 'listing', (queue) =>
      queue.getJobs(['failed'], from, from + FAILED_PAGE - 1, true),
    );
    return jobs.map((job) => ({
      id: job.id ?? '',
      pattern: contract.pattern,
      payload: job.data.payload,
      reason: job.failedReason,
      attempts: job.attemptsMade,
      failedAt: new Date(job.finishedOn ?? job.timestamp).toISOString(),
    }));
  }

  /** Tells for each job id whether that job used up its tries. */
  async failedAmong(contract: JobContract, jobIds: readonly string[]): Promise<boolean[]> {
    if (jobIds.length === 0) return [];
    const scores = await this.on(contract, 'looking for failed', (queue) =>
      this.connection.zmscore(queue.toKey('failed'), ...jobIds),
    );
    return scores.map((score) => score !== null);
  }

  /** Tells for each job id whether that job waits, runs or has failed. */
  async knownAmong(contract: JobContract, jobIds: readonly string[]): Promise<boolean[]> {
    if (jobIds.length === 0) return [];
    const found = await this.on(contract, 'looking for', (queue) =>
      Promise.all(jobIds.map((id) => this.connection.exists(queue.toKey(id)))),
    );
    return found.map((count) => count > 0);
  }

  /** Gives a failed job its tries anew. Throws `not_found` when no failed job has this id. */
  async retryFailed(contract: JobContract, jobId: string): Promise<void> {
    const found = await this.on(contract, 'retrying', (queue) => retry(queue, jobId));
    if (!found) throw new AppError('not_found', `${contract.pattern} has no failed job ${jobId}`);
  }

  /** Counts waiting, delayed, active and failed jobs. */
  counts(contract: JobContract): Promise<Record<string, number>> {
    return this.on(contract, 'counting', (queue) =>
      queue.getJobCounts('waiting', 'delayed', 'active', 'failed'),
    );
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.queues.values()].map((queue) => queue.close()));
  }

  private on<T>(contract: JobContract, verb: string, use: (queue: Queue<JobEnvelope>) => Promise<T>) {
    return withinReach(this.connection, this.withinMs, `${verb} ${contract.pattern}`, () =>
      use(this.queueOf(contract)),
    );
  }

  /** A job's queue as BullMQ has it, for a page that shows queues. */
  queueOf({ pattern }: JobContract): Queue<JobEnvelope> {
    const known = this.queues.get(pattern);
    if (known) return known;
    const queue = new Queue<JobEnvelope>(pattern, {
      connection: this.connection,
      prefix: jobPrefix(this.keyPrefix),
    });
    // The shared connection logs its own errors.
    queue.on('error', () => undefined);
    // A queue whose first contact fails stays broken, so the next use makes a new one.
    queue.waitUntilReady().catch(() => this.queues.delete(pattern));
    this.queues.set(pattern, queue);
    return queue;
  }
}

/** Tells whether a next run is later than its interval or delay lets it be: the clock was set back since it was made. */
export function isAhead(next: number, withinMs: number): boolean {
  return next > Date.now() + withinMs + RUNS_LATE_MS;
}

function optionsOf({ attempts, backoffMs }: JobContract): JobsOptions {
  return {
    attempts,
    backoff: { type: 'exponential', delay: backoffMs },
    // The id is free again once the job is done.
    removeOnComplete: true,
    removeOnFail: { age: KEEP_FAILED_S },
  };
}

async function retry(queue: Queue<JobEnvelope>, jobId: string): Promise<boolean> {
  const job = await queue.getJob(jobId);
  if (!job || !(await job.isFailed())) return false;
  await job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true });
  return true;
}
