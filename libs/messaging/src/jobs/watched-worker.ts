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

/** Does a job, or gives up one that ended its process too often. */
type Process = (job: Job<JobEnvelope>, isGivenUp: boolean) => Promise<unknown>;

// Once may be chance: the process dies with all the jobs it has in hand. What is there both times is the cause.
const MAX_CRASHES = 2;
// BullMQ's own bound leaves out recurring jobs: we look at the count ourselves.
const NO_BOUND = 1_000_000;
// Where BullMQ counts how often a job was found with its worker gone.
const CRASHES_FIELD = 'stc';
// BullMQ keeps the order of one millisecond's jobs in the lower twelve bits.
const DELAYED_SCORE_PER_MS = 0x1000;

/**
 * A BullMQ worker that is replaced when it has gone deaf: after some Redis outages a worker lives on and
 * takes nothing more (a known fault), which nobody would notice but by the jobs that pile up.
 */
export class WatchedWorker {
  private worker: Worker<JobEnvelope>;
  private readonly inWork = new Set<Job<JobEnvelope>>();
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

  /** The jobs in work are left to another worker, and have not ended this one. */
  async leaveUnfinished(): Promise<void> {
    await Promise.all(
      [...this.inWork].map((job) => this.connection.hincrby(this.worker.toKey(job.id!), CRASHES_FIELD, -1)),
    );
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
      maxStalledCount: NO_BOUND,
    });
    worker.on('error', (error) => {
      // While Redis is away each worker says so several times a second; the connection says it once.
      if (this.connection.status === 'ready') this.log.warn({ pattern, err: error }, 'a worker met an error');
    });
    return worker;
  }

  private async take(job: Job<JobEnvelope>): Promise<unknown> {
    this.lastSignOfLife = performance.now();
    this.inWork.add(job);
    try {
      return await this.process(job, job.stalledCounter >= MAX_CRASHES);
    } catch (error) {
      // Its process lived through this try: what came before does not count any more.
      if (job.stalledCounter > 0) await this.connection.hdel(this.worker.toKey(job.id!), CRASHES_FIELD);
      throw error;
    } finally {
      this.inWork.delete(job);
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
    if (waiting === 0 || this.inWork.size >= concurrency) this.lastSignOfLife = performance.now();
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
