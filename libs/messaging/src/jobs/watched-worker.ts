import type { JobContract } from '@kith/contracts';
import { DelayedError, type Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { MessagingLogger } from '../logger.js';
import { jobPrefix } from '../streams/keys.js';
import type { JobEnvelope } from './job-queues.js';
import { decideSuspicion, type Suspicion } from './suspicion.js';

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

/**
 * How a suspect is done: one whose process died with it in hand. Once may be chance, for the process dies with all the
 * jobs it has in hand. So the second time it is the only suspect in hand, and what dies then is the cause.
 */
export interface SuspectRun {
  /** Its process died again when it was done alone: it is not to be done any more. */
  readonly isGivenUp: boolean;
  /** Pieces that ended a process. */
  readonly endedBy: readonly string[];
  /** Notes which piece is in work from now on. */
  begin(piece: string): Promise<void>;
}

/** Does a job. */
type Process = (job: Job<JobEnvelope>, suspect: SuspectRun | null) => Promise<unknown>;

// What ends its process does so soon. A long job, such as a reindex, is not waited for.
const ALONE_FOR_MS = 10_000;

/** Lets one suspect of a process in at a time, and the next one when that is done or takes long. */
export class SuspectDoor {
  private inside: { job: unknown; until: number } | null = null;

  enter(job: unknown): boolean {
    const now = performance.now();
    if (this.inside && now < this.inside.until) return false;
    this.inside = { job, until: now + ALONE_FOR_MS };
    return true;
  }

  leave(job: unknown): void {
    if (this.inside?.job === job) this.inside = null;
  }
}

// Most jobs are done in less: a suspect that has to wait is back soon, and not in hand meanwhile.
const SUSPECT_WAITS_MS = 250;
const SUSPICION_FIELD = 'suspicion';
// BullMQ's own bound leaves out recurring jobs: we look at the count ourselves.
const NO_BOUND = 1_000_000;
// Where BullMQ counts how often a job was found with its worker gone.
const CRASHES_FIELD = 'stc';
// A job that was done meanwhile has no hash any more, and a new one would look like a job that is still there.
const MARK = `
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end`;
const TAKE_BACK_CRASH = `
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('HINCRBY', KEYS[1], ARGV[1], -1)
  redis.call('HDEL', KEYS[1], ARGV[2])
end`;
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
    private readonly door: SuspectDoor,
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
      [...this.inWork].map(({ id }) =>
        this.connection.eval(TAKE_BACK_CRASH, 1, this.worker.toKey(id!), CRASHES_FIELD, SUSPICION_FIELD),
      ),
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
    const isSuspect = !this.contract.countsItself && (job.stalledCounter > 0 || job.data.isSuspect === true);
    if (isSuspect && !this.door.enter(job)) {
      await job.moveToDelayed(Date.now() + SUSPECT_WAITS_MS, job.token);
      throw new DelayedError();
    }
    this.inWork.add(job);
    try {
      return await this.process(job, isSuspect ? await this.beginAlone(job) : null);
    } catch (error) {
      // Its process lived through this try: what came before does not count any more.
      if (isSuspect) await this.connection.hdel(this.worker.toKey(job.id!), CRASHES_FIELD, SUSPICION_FIELD);
      throw error;
    } finally {
      if (isSuspect) this.door.leave(job);
      this.inWork.delete(job);
      this.lastSignOfLife = performance.now();
    }
  }

  /** Marks a suspect as in work before it is. */
  private async beginAlone(job: Job<JobEnvelope>): Promise<SuspectRun> {
    const key = this.worker.toKey(job.id!);
    const mark = (suspicion: Suspicion) =>
      this.connection.eval(MARK, 1, key, SUSPICION_FIELD, JSON.stringify(suspicion));
    const suspicion = decideSuspicion(await this.connection.hget(key, SUSPICION_FIELD));
    if (suspicion) await mark(suspicion);
    const { endedBy } = suspicion ?? { endedBy: [] };
    return {
      isGivenUp: suspicion === null,
      endedBy,
      begin: async (piece) => void (await mark({ endedBy, inWork: piece })),
    };
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
