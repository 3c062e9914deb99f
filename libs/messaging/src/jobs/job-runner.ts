import { randomUUID } from 'node:crypto';
import { AppError, isErased, isRetryable, type JobContract, isDoneWithin } from '@kith/contracts';
import { DelayedError, type Job, UnrecoverableError } from 'bullmq';
import type { Redis } from 'ioredis';
import { correlationIdOrNew, withCorrelationId } from '../correlation.js';
import type { Neighbours } from '../local/neighbours.js';
import type { Parsed } from '../local/parsed.js';
import type { MessagingLogger } from '../logger.js';
import { describeReason } from '../wire-errors.js';
import { type JobEnvelope, JobQueues, RUNS_LATE_MS } from './job-queues.js';
import { DirectJobs } from './direct-jobs.js';
import type { JobBell } from './job-bell.js';
import { processDoor } from './suspect-door.js';
import type { SuspectRun } from './suspect-run.js';
import { WatchedWorker, type WorkerSettings } from './watched-worker.js';

/** Thrown by a job's method that can't go on yet: the job comes again after this time, and no try was used up. */
export class Postponed extends Error {
  override readonly name = 'Postponed';
  constructor(readonly delayMs: number) {
    super(`will run again in ${delayMs} ms`);
  }
}

/** Try of a job, as its method sees it. */
export interface JobRun {
  /** 1 for the first. */
  readonly attempt: number;
  /**
   * Set where a process died while it did the job. A method that splits its job into pieces then does them one by one:
   * it calls `begin` before each, and skips those in `endedBy`, which ended a process.
   */
  readonly suspect: Pick<SuspectRun, 'endedBy' | 'begin'> | null;
}

export interface JobHandler {
  readonly contract: JobContract;
  readonly run: (payload: unknown, run: JobRun) => Promise<unknown>;
}

/** One try of a job, for metrics. */
export interface JobDone {
  readonly pattern: string;
  readonly outcome: 'ok' | 'retry' | 'failed';
  readonly tookMs: number;
}

export interface JobRunnerSettings extends WorkerSettings {
  /** Time `close` waits for jobs in work; another worker takes up the rest as stalled. */
  readonly drainMs: number;
  /** Called after each try of a job; must not throw. */
  readonly observe?: (done: JobDone) => void;
  /** The services of the same process, where there are any. */
  readonly neighbours?: Neighbours;
}

const TOO_LATE = 'a job came too late: its person was erased';

/** Runs the jobs of a service: a worker per contract, all over one connection, and one more where they wait. */
export class JobRunner {
  private workers: WatchedWorker[] = [];
  private direct: DirectJobs[] = [];
  private leave: (() => void)[] = [];
  private readonly queues: JobQueues;
  private timer: NodeJS.Timeout | undefined;
  private isChecking = false;
  /** Lead of the clock over the monotonic one, at most since jobs' delays were checked. */
  private clockLeadMs = Infinity;
  private isClosed = false;
  private readonly check = () => void this.checkAndGoOn();

  constructor(
    private readonly connection: Redis,
    private readonly bell: JobBell,
    private readonly settings: JobRunnerSettings,
    private readonly log: MessagingLogger,
  ) {
    this.queues = new JobQueues(connection, settings.keyPrefix, settings.lockMs);
  }

  start(handlers: readonly JobHandler[]): void {
    this.workers = handlers.map((handler) => {
      const process = (job: Job<JobEnvelope>, suspect: SuspectRun | null) =>
        this.process(handler, job, suspect);
      const { connection, bell, settings, log } = this;
      return new WatchedWorker({ contract: handler.contract, process, connection, bell, settings, log });
    });
    this.connection.on('ready', this.check);
    this.check();
    const { neighbours } = this.settings;
    if (!neighbours) return;
    for (const handler of handlers) {
      const { pattern, concurrency } = handler.contract;
      const direct = new DirectJobs(
        (payload, jobId) => this.doAtOnce(handler, payload, jobId),
        concurrency,
        (jobId, error) => this.log.warn({ pattern, jobId, err: error }, 'a failed job could not be queued'),
      );
      this.direct.push(direct);
      this.leave.push(neighbours.addWorker(pattern, direct.take));
    }
  }

  /** Takes no new job, and finishes those in work. */
  async close(): Promise<void> {
    for (const leave of this.leave.splice(0)) leave();
    this.isClosed = true;
    clearTimeout(this.timer);
    this.connection.off('ready', this.check);
    // While Redis is away no job can be ended, and BullMQ waits for it without end.
    const { drainMs } = this.settings;
    const patienceMs = this.connection.status === 'ready' ? drainMs : Math.min(drainMs, 1_000);
    const closed = Promise.allSettled([...this.workers, ...this.direct].map((each) => each.close()));
    if (!(await isDoneWithin(closed, patienceMs))) {
      this.log.warn({}, 'closed with jobs unfinished; another worker takes them up');
      if (this.connection.status === 'ready')
        await Promise.allSettled(this.workers.map((worker) => worker.leaveUnfinished()));
    }
    this.workers = [];
    this.direct = [];
  }

  /**
   * Checks now, and again later. A dead worker's job is given back by the first check after its lock ran out, provided an
   * earlier check saw it too: while all queues are at rest every second check can be left out without delaying that.
   */
  private async checkAndGoOn(): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    clearTimeout(this.timer);
    const isAtRest = await this.checkOnce().catch(() => false); // Redis went away: check again soon
    this.isChecking = false;
    if (this.isClosed) return;
    this.timer = setTimeout(this.check, this.settings.stalledCheckMs * (isAtRest ? 2 : 1)).unref();
  }

  /** Asks in one round trip whether all queues are at rest, and checks each of them where one is not. */
  private async checkOnce(): Promise<boolean> {
    if (this.connection.status === 'ready') await this.noticeClock();
    const isAtRest = this.connection.status !== 'ready' || (await this.countWork()) === 0;
    if (isAtRest) for (const worker of this.workers) worker.rest();
    else await Promise.all(this.workers.map((worker) => worker.check()));
    return isAtRest;
  }

  /** Looks at jobs' delays where the clock was set back, which it may have been before this process began. */
  private async noticeClock(): Promise<void> {
    const leadMs = Date.now() - performance.now();
    if (this.clockLeadMs - leadMs < RUNS_LATE_MS) {
      this.clockLeadMs = Math.max(this.clockLeadMs, leadMs);
      return;
    }
    const areChecked = await Promise.all(this.workers.map((worker) => worker.restartDelays()));
    // Otherwise the next look checks them again.
    if (areChecked.every(Boolean)) this.clockLeadMs = leadMs;
  }

  private async countWork(): Promise<number> {
    const counts = await Promise.all([
      this.connection.exists(...this.workers.flatMap((worker) => worker.keysOfWork)),
      ...this.workers.map((worker) => worker.countDue()),
    ]);
    return counts.reduce((sum, count) => sum + count);
  }

  /** Gives a job that came without a queue its one try. Throws where it failed, or would run beside a suspect. */
  private async doAtOnce({ contract, run }: JobHandler, payload: Parsed, jobId: string): Promise<void> {
    const { pattern, countsItself } = contract;
    const job = {};
    if (!countsItself && !(await processDoor.admit(job))) throw new Error('a suspect must be alone');
    const correlationId = correlationIdOrNew();
    const about = { pattern, jobId, correlationId };
    const observe = this.beginTry(pattern);
    try {
      await withCorrelationId(correlationId, () => run(payload, { attempt: 1, suspect: null }));
      observe('ok');
    } catch (error) {
      if (isErased(error)) {
        this.log.info(about, TOO_LATE);
        observe('ok');
        return;
      }
      this.log.warn({ ...about, err: error }, 'a job failed and is queued');
      observe('retry');
      throw error;
    } finally {
      processDoor.leave(job);
    }
  }

  /** Begins to time a try. Returns what is to be told how it ended. */
  private beginTry(pattern: string): (outcome: JobDone['outcome']) => void {
    const startedAt = performance.now();
    return (outcome) => this.settings.observe?.({ pattern, outcome, tookMs: performance.now() - startedAt });
  }

  private process({ contract, run }: JobHandler, job: Job<JobEnvelope>, suspect: SuspectRun | null) {
    const correlationId = job.data.correlationId ?? randomUUID();
    return withCorrelationId(correlationId, async () => {
      const about = { pattern: contract.pattern, jobId: job.id ?? '', correlationId };
      const attempt = job.attemptsMade + 1;
      const observe = this.beginTry(contract.pattern);
      if (suspect?.isGivenUp) {
        this.log.error(about, 'a job was given up: its process died');
        observe('failed');
        throw new UnrecoverableError('the service died while doing it');
      }
      if (suspect && suspect.endedBy.length > 0)
        this.log.error(
          { ...about, pieces: suspect.endedBy },
          'pieces of a job ended their process, and are left out',
        );
      try {
        const isParted = suspect !== null && (await this.orderParts(contract, job.data.payload));
        if (!isParted) await run(job.data.payload, { attempt, suspect });
        observe('ok');
      } catch (error) {
        if (error instanceof Postponed) {
          await job.moveToDelayed(Date.now() + error.delayMs, job.token);
          throw new DelayedError();
        }
        if (isErased(error)) {
          this.log.info(about, TOO_LATE);
          observe('ok');
          return;
        }
        const isHopeless = error instanceof AppError && !isRetryable(error.code);
        const isOver = isHopeless || attempt >= contract.attempts;
        const fields = { ...about, attempt, err: error };
        if (isOver) this.log.error(fields, 'a job failed for good');
        else this.log.warn(fields, 'a job failed and will be tried again');
        observe(isOver ? 'failed' : 'retry');
        // BullMQ keeps the reason for the operator's list; the log has the stack.
        const reason = describeReason(error);
        throw isHopeless ? new UnrecoverableError(reason) : new Error(reason);
      }
    });
  }

  /** Orders the parts of a suspect instead of it. False where it has none. */
  private async orderParts(contract: JobContract, payload: unknown): Promise<boolean> {
    const parsed = contract.payload.safeParse(payload);
    const parts = parsed.success ? (contract.partsOf?.(parsed.data) ?? []) : [];
    if (parts.length < 2) return false;
    // A part that was ordered by itself may have been given up meanwhile: done again, it would end two more processes.
    for (const part of parts) await this.queues.add(contract, part, { isSuspect: true, keepsFailed: true });
    this.log.warn(
      { pattern: contract.pattern, parts: parts.length },
      'a job whose process died was split into parts',
    );
    return true;
  }
}
