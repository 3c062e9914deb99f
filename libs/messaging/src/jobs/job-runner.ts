import { randomUUID } from 'node:crypto';
import { AppError, isErased, isRetryable, type JobContract } from '@kith/contracts';
import { DelayedError, type Job, UnrecoverableError } from 'bullmq';
import type { Redis } from 'ioredis';
import { withCorrelationId } from '../correlation.js';
import type { MessagingLogger } from '../logger.js';
import { toWireError } from '../wire-errors.js';
import type { JobEnvelope } from './job-queues.js';
import { Postponed } from './postponed.js';
import { WatchedWorker, type WorkerSettings } from './watched-worker.js';

/** Which try this is, for a method that does something else on the last one. */
export interface JobRun {
  readonly jobId: string;
  /** 1 for the first. */
  readonly attempt: number;
  readonly isLastAttempt: boolean;
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
  /** How long `close` waits for jobs in work; what is left then is taken up as stalled by another worker. */
  readonly drainMs: number;
  readonly observe?: (done: JobDone) => void;
}

/** Runs the jobs of a process: a worker per contract, over one shared connection and a blocking one each. */
export class JobRunner {
  private workers: WatchedWorker[] = [];

  constructor(
    private readonly connection: Redis,
    private readonly settings: JobRunnerSettings,
    private readonly log: MessagingLogger,
  ) {}

  start(handlers: readonly JobHandler[]): void {
    this.workers = handlers.map((handler) => {
      const process = (job: Job<JobEnvelope>, isGivenUp: boolean) => this.process(handler, job, isGivenUp);
      return new WatchedWorker(handler.contract, process, this.connection, this.settings, this.log);
    });
  }

  /** Takes no new job, and finishes those in work. */
  async close(): Promise<void> {
    // While Redis is away no job can be settled, and BullMQ waits for it without end.
    const reachable = this.connection.status === 'ready';
    const patienceMs = reachable ? this.settings.drainMs : Math.min(this.settings.drainMs, 1_000);
    let timer: NodeJS.Timeout | undefined;
    const closed = await Promise.race([
      Promise.allSettled(this.workers.map((worker) => worker.close())).then(() => true),
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
  }

  private process(
    { contract, run }: JobHandler,
    job: Job<JobEnvelope>,
    isGivenUp: boolean,
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
      if (isGivenUp) {
        this.log.error(
          { pattern: contract.pattern, jobId: job.id, correlationId },
          'a job was given up: its process died',
        );
        observe('failed');
        throw new UnrecoverableError('the service died while doing it');
      }
      try {
        await run(job.data.payload, { jobId: job.id ?? '', attempt, isLastAttempt });
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
}
