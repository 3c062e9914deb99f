import type { JobContract } from '@kith/contracts';
import { type Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { MessagingLogger } from '../logger.js';
import { jobPrefix } from '../streams/keys.js';
import type { JobEnvelope } from './job-queues.js';

export interface WorkerSettings {
  readonly keyPrefix: string;
  /** A job whose worker shows no sign of life for so long is given to another. */
  readonly lockMs: number;
  readonly stalledCheckMs: number;
  /** A worker that takes nothing for so long while jobs wait is replaced. */
  readonly deafAfterMs: number;
  /** Called at each look at a queue; must not throw. */
  readonly observeQueue?: (queue: WatchedQueue) => void;
}

/** What a look at a queue found, for metrics. */
export interface WatchedQueue {
  readonly pattern: string;
  /** Jobs that are due and not taken. */
  readonly waiting: number;
  /** How long jobs have been due while the worker here, with room for more, took none. */
  readonly idleMs: number;
  /** The worker was taken for deaf, and replaced. */
  readonly replaced: boolean;
}

type Process = (job: Job<JobEnvelope>) => Promise<unknown>;

// Three crashes on one job: the job is at fault, not the machine.
const MAX_CRASHES = 3;
// BullMQ keeps the order of one millisecond's jobs in the lower twelve bits.
const DELAYED_SCORE_PER_MS = 0x1000;

/**
 * A BullMQ worker that is replaced when it has gone deaf: after some Redis outages a worker lives on and
 * takes nothing more (a known fault), which nobody would notice but by the jobs that pile up.
 */
export class WatchedWorker {
  private worker: Worker<JobEnvelope>;
  private inWork = 0;
  private lastSignOfLife = performance.now();
  private readonly watch: NodeJS.Timeout;

  constructor(
    private readonly contract: JobContract,
    private readonly process: Process,
    private readonly connection: Redis,
    private readonly settings: WorkerSettings,
    private readonly log: MessagingLogger,
  ) {
    this.worker = this.startWorker();
    this.watch = setInterval(() => void this.check().catch(() => undefined), settings.deafAfterMs / 3);
    this.watch.unref();
  }

  /** Takes no new job; resolves when those in work are done. */
  async close(): Promise<void> {
    clearInterval(this.watch);
    await this.worker.close();
  }

  private startWorker(): Worker<JobEnvelope> {
    const { pattern, concurrency } = this.contract;
    const { keyPrefix, lockMs, stalledCheckMs } = this.settings;
    const worker = new Worker<JobEnvelope>(pattern, (job) => this.take(job), {
      connection: this.connection,
      prefix: jobPrefix(keyPrefix),
      concurrency,
      lockDuration: lockMs,
      stalledInterval: stalledCheckMs,
      maxStalledCount: MAX_CRASHES,
    });
    worker.on('error', (error) => {
      // While Redis is away each worker says so several times a second; the connection says it once.
      if (this.connection.status === 'ready') this.log.warn({ pattern, err: error }, 'a worker met an error');
    });
    return worker;
  }

  private async take(job: Job<JobEnvelope>): Promise<unknown> {
    this.lastSignOfLife = performance.now();
    this.inWork += 1;
    try {
      return await this.process(job);
    } finally {
      this.inWork -= 1;
      this.lastSignOfLife = performance.now();
    }
  }

  /** Jobs with a priority wait in a set of their own, and delayed ones until a worker finds that they are due. */
  private async countWaiting(): Promise<number> {
    const { worker, connection } = this;
    const dueFor = Date.now() - this.settings.deafAfterMs;
    const counts = await Promise.all([
      connection.llen(worker.toKey('wait')),
      connection.zcard(worker.toKey('prioritized')),
      connection.zcount(worker.toKey('delayed'), '-inf', dueFor * DELAYED_SCORE_PER_MS),
    ]);
    return counts.reduce((sum, count) => sum + count);
  }

  private async check(): Promise<void> {
    const { pattern, concurrency } = this.contract;
    const reachable = this.connection.status === 'ready';
    const waiting = reachable ? await this.countWaiting() : 0;
    if (waiting === 0 || this.inWork >= concurrency) this.lastSignOfLife = performance.now();
    const idleMs = performance.now() - this.lastSignOfLife;
    const replaced = idleMs >= this.settings.deafAfterMs;
    this.settings.observeQueue?.({ pattern, waiting, idleMs, replaced });
    if (!replaced) return;
    this.log.error({ pattern, waiting }, 'a worker takes no jobs though some wait: it is replaced');
    const deaf = this.worker;
    this.worker = this.startWorker();
    this.lastSignOfLife = performance.now();
    void deaf.close().catch(() => undefined);
  }
}
