import { randomUUID } from 'node:crypto';
import { AppError, isErased, isRetryable, type JobContract } from '@kith/contracts';
import { DelayedError, type Job, UnrecoverableError } from 'bullmq';
import type { Redis } from 'ioredis';
import { correlationIdOrNew, withCorrelationId } from '../correlation.js';
import type { Neighbours } from '../local/neighbours.js';
import type { Parsed } from '../local/parsed.js';
import type { MessagingLogger } from '../logger.js';
import { toWireError } from '../wire-errors.js';
import { type JobEnvelope, JobQueues } from './job-queues.js';
import { DirectJobs } from './direct-jobs.js';
import type { JobBell } from './job-bell.js';
import { Postponed } from './postponed.js';
import { SuspectDoor, type SuspectRun, WatchedWorker, type WorkerSettings } from './watched-worker.js';

/** Number of this try, for a method that does something else on the last one. */
export interface JobRun {
  readonly jobId: string;
  /** 1 for the first. */
  readonly attempt: number;
  readonly isLastAttempt: boolean;
  /**
   * Set where a process died with the job in hand. A method whose job consists of pieces that only it knows does them
   * one by one then, says before each which it is (`begin`), and sets those aside that ended a process (`endedBy`).
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
  readonly observe?: (done: JobDone) => void;
  /** The services of the same process, where there are any. */
  readonly neighbours?: Neighbours;
}

/** Runs the jobs of a service: a worker per contract, all over one connection, and one more where they wait. */
export class JobRunner {
  private workers: WatchedWorker[] = [];
  private direct: DirectJobs[] = [];
  private leave: (() => void)[] = [];
  private readonly queues: JobQueues;
  private timer: NodeJS.Timeout | undefined;
  private isLooking = false;
  private isClosed = false;
  private readonly look = () => void this.lookAndGoOn();

  constructor(
    private readonly connection: Redis,
    private readonly bell: JobBell,
    private readonly settings: JobRunnerSettings,
    private readonly log: MessagingLogger,
  ) {
    this.queues = new JobQueues(connection, settings.keyPrefix, settings.lockMs);
  }

  start(handlers: readonly JobHandler[]): void {
    const door = new SuspectDoor();
    this.workers = handlers.map((handler) => {
      const process = (job: Job<JobEnvelope>, suspect: SuspectRun | null) =>
        this.process(handler, job, suspect);
      const { connection, bell, settings, log } = this;
      return new WatchedWorker(handler.contract, process, door, connection, bell, settings, log);
    });
    this.connection.on('ready', this.look);
    this.look();
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
    this.connection.off('ready', this.look);
    // While Redis is away no job can be settled, and BullMQ waits for it without end.
    const reachable = this.connection.status === 'ready';
    const patienceMs = reachable ? this.settings.drainMs : Math.min(this.settings.drainMs, 1_000);
    let timer: NodeJS.Timeout | undefined;
    const closed = await Promise.race([
      Promise.allSettled([...this.workers, ...this.direct].map((each) => each.close())).then(() => true),
      new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), patienceMs);
      }),
    ]);
    clearTimeout(timer);
    if (!closed) {
      this.log.warn({}, 'closed with jobs unfinished; another worker takes them up');
      const reached = this.connection.status === 'ready';
      if (reached) await Promise.allSettled(this.workers.map((worker) => worker.leaveUnfinished()));
    }
    this.workers = [];
    this.direct = [];
  }

  /**
   * Looks now, and again later. A job is given back by the first look after its lock ran out that an earlier one found
   * as well: while all queues are at rest every second look can be left out without making that later.
   */
  private async lookAndGoOn(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    clearTimeout(this.timer);
    const isAtRest = await this.lookOnce().catch(() => false); // Redis went away: the next look is near
    this.isLooking = false;
    if (this.isClosed) return;
    this.timer = setTimeout(this.look, this.settings.stalledCheckMs * (isAtRest ? 2 : 1)).unref();
  }

  /** Asks whether every queue is at rest, in one question for all of them, and looks at each where one is not. */
  private async lookOnce(): Promise<boolean> {
    const isAtRest = this.connection.status !== 'ready' || (await this.countWork()) === 0;
    if (isAtRest) for (const worker of this.workers) worker.rest();
    else await Promise.all(this.workers.map((worker) => worker.check()));
    return isAtRest;
  }

  private async countWork(): Promise<number> {
    const counts = await Promise.all([
      this.connection.exists(...this.workers.flatMap((worker) => worker.keysOfWork)),
      ...this.workers.map((worker) => worker.countDue()),
    ]);
    return counts.reduce((sum, count) => sum + count);
  }

  /** The one try of a job that came without a queue. */
  private async doAtOnce({ contract, run }: JobHandler, payload: Parsed, jobId: string): Promise<void> {
    const { pattern } = contract;
    const correlationId = correlationIdOrNew();
    const startedAt = performance.now();
    const observe = (outcome: JobDone['outcome']) =>
      this.settings.observe?.({ pattern, outcome, tookMs: performance.now() - startedAt });
    try {
      await withCorrelationId(correlationId, () =>
        run(payload, { jobId, attempt: 1, isLastAttempt: false, suspect: null }),
      );
      observe('ok');
    } catch (error) {
      if (isErased(error)) {
        this.log.info({ pattern, jobId, correlationId }, 'a job came too late: its person was erased');
        return observe('ok');
      }
      this.log.warn({ pattern, jobId, correlationId, err: error }, 'a job failed and is queued');
      observe('retry');
      throw error;
    }
  }

  private process(
    { contract, run }: JobHandler,
    job: Job<JobEnvelope>,
    suspect: SuspectRun | null,
  ): Promise<unknown> {
    const correlationId = job.data.correlationId ?? randomUUID();
    return withCorrelationId(correlationId, async () => {
      const startedAt = performance.now();
      const attempt = job.attemptsMade + 1;
      const isLastAttempt = attempt >= contract.attempts;
      const observe = (outcome: JobDone['outcome']) =>
        this.settings.observe?.({
          pattern: contract.pattern,
          outcome,
          tookMs: performance.now() - startedAt,
        });
      if (suspect?.isGivenUp) {
        this.log.error(
          { pattern: contract.pattern, jobId: job.id, correlationId },
          'a job was given up: its process died',
        );
        observe('failed');
        throw new UnrecoverableError('the service died while doing it');
      }
      if (suspect && suspect.endedBy.length > 0)
        this.log.error(
          { pattern: contract.pattern, jobId: job.id, correlationId, pieces: suspect.endedBy },
          'pieces of a job ended their process, and are left out',
        );
      try {
        if (suspect && (await this.part(contract, job.data.payload))) return observe('ok');
        await run(job.data.payload, { jobId: job.id ?? '', attempt, isLastAttempt, suspect });
        observe('ok');
      } catch (error) {
        if (error instanceof Postponed) {
          await job.moveToDelayed(Date.now() + error.delayMs, job.token);
          throw new DelayedError();
        }
        if (isErased(error)) {
          this.log.info(
            { pattern: contract.pattern, jobId: job.id, correlationId },
            'a job came too late: its person was erased',
          );
          observe('ok');
          return;
        }
        const hopeless = error instanceof AppError && !isRetryable(error.code);
        const fields = { pattern: contract.pattern, jobId: job.id, correlationId, attempt, err: error };
        if (hopeless || isLastAttempt) this.log.error(fields, 'a job failed for good');
        else this.log.warn(fields, 'a job failed and will be tried again');
        observe(hopeless || isLastAttempt ? 'failed' : 'retry');
        // What BullMQ keeps is for the operator's list; the log has the stack.
        const { code, message } = toWireError(error);
        const reason = error instanceof AppError ? `${code}: ${message}` : String(error);
        throw hopeless ? new UnrecoverableError(reason) : new Error(reason);
      }
    });
  }

  /** Orders the parts of a suspect in its place. False where it has none. */
  private async part(contract: JobContract, payload: unknown): Promise<boolean> {
    const parsed = contract.payload.safeParse(payload);
    const parts = parsed.success ? (contract.partsOf?.(parsed.data) ?? []) : [];
    if (parts.length < 2) return false;
    // One that was ordered by itself may have been given up meanwhile: it would end two more processes.
    for (const part of parts) await this.queues.add(contract, part, { isSuspect: true, keepsFailed: true });
    this.log.warn({ pattern: contract.pattern, parts: parts.length }, 'a job was parted: its process died');
    return true;
  }
}
