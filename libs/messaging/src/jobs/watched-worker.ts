import { setTimeout as sleep } from 'node:timers/promises';
import type { JobContract } from '@kith/contracts';
import { DelayedError, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { isRefusal, isToBeTold } from '../redis/connection.js';
import type { MessagingLogger } from '../logger.js';
import { fieldsByName } from '../streams/entry.js';
import { jobPrefix } from '../streams/keys.js';
import { BellWorker } from './bell-worker.js';
import type { BellPlace, JobBell } from './job-bell.js';
import { isAhead, type JobEnvelope, RUNS_LATE_MS } from './job-queues.js';
import { ASKS_AGAIN_MS, processDoor } from './suspect-door.js';
import { SUSPICION_FIELD, SuspectRun } from './suspect-run.js';

export interface WorkerSettings {
  readonly keyPrefix: string;
  /** A job whose worker shows no sign of life for so long is given to another. */
  readonly lockMs: number;
  /** Pause between looks for jobs that nobody takes, and for those whose worker is gone; twice as long at rest. */
  readonly stalledCheckMs: number;
  /** A worker that takes nothing for so long while jobs wait is replaced. */
  readonly deafAfterMs: number;
  /** Called at each look at a queue; must not throw. */
  readonly observeQueue?: (queue: WatchedQueue) => void;
}

/** Findings of a look at a queue, for metrics. */
export interface WatchedQueue {
  readonly pattern: string;
  /** Jobs that are due and not taken. */
  readonly waiting: number;
  /** Time jobs have been due while the worker here, with room for more, took none. */
  readonly idleMs: number;
  /** The worker was taken for deaf, and replaced. */
  readonly replaced: boolean;
}

interface WorkerParts {
  contract: JobContract;
  /** Does a job. */
  process: (job: Job<JobEnvelope>, suspect: SuspectRun | null) => Promise<unknown>;
  connection: Redis;
  bell: JobBell;
  settings: WorkerSettings;
  log: MessagingLogger;
}

// Where BullMQ counts how often a job was found with its worker gone.
const CRASHES_FIELD = 'stc';
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
  private worker: BellWorker<JobEnvelope>;
  private place: BellPlace;
  private readonly inWork = new Set<Job<JobEnvelope>>();
  private lastSignOfLife = performance.now();
  private isClosing = false;

  constructor(private readonly parts: WorkerParts) {
    this.place = this.joinBell();
    this.worker = this.startWorker();
  }

  /** Keys that do not exist while the queue is at rest. A delayed job counts as work where the worker does not know of it. */
  get keysOfWork(): string[] {
    const { worker, place } = this;
    const kinds = ['wait', 'prioritized', 'active', ...(place.isTimed ? [] : ['delayed'])];
    return kinds.map((kind) => worker.toKey(kind));
  }

  /** Counts delayed jobs that are due, where the worker waits for them by its own timer, which may be late. */
  async countDue(): Promise<number> {
    return this.place.isTimed ? this.countDelayedDue() : 0;
  }

  /** Takes the queue for empty: nothing waits, or Redis is away and nobody can know. */
  rest(): void {
    this.lastSignOfLife = performance.now();
    const { contract, settings } = this.parts;
    settings.observeQueue?.({ pattern: contract.pattern, waiting: 0, idleMs: 0, replaced: false });
  }

  /**
   * Gives delayed jobs their delay anew, where the clock was set back since it began: they would come up later by as much,
   * and no other order of the same job counts until then. Recurring jobs are put back by whoever ordered them.
   * @returns whether all were looked at; never rejects
   */
  async restartDelays(): Promise<boolean> {
    try {
      await this.restartAhead();
      return true;
    } catch (error) {
      const { contract, connection, log } = this.parts;
      if (connection.status === 'ready')
        log.warn({ pattern: contract.pattern, err: error }, 'delays of jobs could not be checked');
      return false;
    }
  }

  private async restartAhead(): Promise<void> {
    const { worker } = this;
    const { connection } = this.parts;
    // No job that comes up sooner is ahead, whatever its delay.
    const from = (Date.now() + RUNS_LATE_MS) * DELAYED_SCORE_PER_MS;
    const delayed = await connection.zrangebyscore(worker.toKey('delayed'), from, '+inf', 'WITHSCORES');
    await Promise.all(
      Object.entries(fieldsByName(delayed)).map(async ([id, score]) => {
        if (id.startsWith('repeat:')) return;
        const delayMs = Number(await connection.hget(worker.toKey(id), 'delay'));
        if (isAhead(Number(score) / DELAYED_SCORE_PER_MS, delayMs)) await worker.delayAnew(id, delayMs);
      }),
    );
  }

  /** Clears the suspicion on jobs in work that are left to another worker: they did not end this process. */
  async leaveUnfinished(): Promise<void> {
    await Promise.all(
      [...this.inWork].map((job) =>
        this.parts.connection.eval(TAKE_BACK_CRASH, 1, this.keyOf(job), CRASHES_FIELD, SUSPICION_FIELD),
      ),
    );
  }

  /** Takes no new job; resolves when those in work are done. */
  async close(): Promise<void> {
    this.isClosing = true;
    await this.worker.close();
    this.parts.bell.leave(this.place);
  }

  // A job in work has an id.
  private keyOf({ id = '' }: Job<JobEnvelope>): string {
    return this.worker.toKey(id);
  }

  private joinBell(): BellPlace {
    const { contract, settings, bell } = this.parts;
    const { pattern, concurrency } = contract;
    const markerKey = `${jobPrefix(settings.keyPrefix)}:${pattern}:marker`;
    return bell.join(markerKey, () => this.inWork.size + 1 < concurrency);
  }

  private startWorker(): BellWorker<JobEnvelope> {
    const { contract, settings, connection, log } = this.parts;
    const { pattern, concurrency } = contract;
    const { keyPrefix, lockMs, stalledCheckMs } = settings;
    const options = { connection, prefix: jobPrefix(keyPrefix), concurrency, lockMs, stalledCheckMs };
    const worker = new BellWorker<JobEnvelope>(pattern, (job) => this.take(job), this.place, options);
    worker.on('error', (error) => {
      // While Redis is away each worker says so several times a second; the connection says it once.
      if (connection.status !== 'ready' || (isRefusal(error) && !isToBeTold(connection, error))) return;
      log.warn({ pattern, err: error }, 'a worker met an error');
    });
    return worker;
  }

  private async take(job: Job<JobEnvelope>): Promise<unknown> {
    this.lastSignOfLife = performance.now();
    const { contract, connection, settings } = this.parts;
    const isSuspect = !contract.countsItself && (job.stalledCounter > 0 || job.data.isSuspect === true);
    const suspect = isSuspect
      ? new SuspectRun(processDoor, connection, this.keyOf(job), settings.lockMs)
      : null;
    await suspect?.load();
    this.inWork.add(job);
    try {
      if (!(await this.enter(job, suspect))) {
        // Put back, so that the jobs behind it are done meanwhile.
        await job.moveToDelayed(Date.now() + ASKS_AGAIN_MS, job.token);
        throw new DelayedError();
      }
      return await this.run(job, suspect);
    } finally {
      processDoor.leave(suspect ?? job);
      this.inWork.delete(job);
      this.lastSignOfLife = performance.now();
    }
  }

  private async run(job: Job<JobEnvelope>, suspect: SuspectRun | null): Promise<unknown> {
    try {
      await suspect?.mark();
      return await this.parts.process(job, suspect);
    } finally {
      // Its process lived through this try: what came before does not count any more. Noted before the next suspect goes
      // in, which may end the process before Redis has this one's end.
      if (suspect) await this.parts.connection.hdel(this.keyOf(job), CRASHES_FIELD, SUSPICION_FIELD);
    }
  }

  /**
   * Waits for the door, in the job's place where it need not wait long: where many are due, each would be taken and put back
   * over and over. Tells whether it may begin.
   */
  private async enter(job: Job<JobEnvelope>, suspect: SuspectRun | null): Promise<boolean> {
    if (this.parts.contract.countsItself || suspect?.isGivenUp) return true;
    while (!this.isClosing) {
      const entry = suspect
        ? await processDoor.enter(suspect)
        : (await processDoor.admit(job))
          ? 'in'
          : 'accompanied';
      if (entry !== 'accompanied') return entry === 'in';
      await sleep(ASKS_AGAIN_MS);
    }
    return false;
  }

  private async countDelayedDue(): Promise<number> {
    const now = Date.now() * DELAYED_SCORE_PER_MS;
    return this.parts.connection.zcount(this.worker.toKey('delayed'), '-inf', now);
  }

  /**
   * Looks at a queue that is not at rest: gives back what a dead worker had in hand, and tells this one of jobs that it
   * was not told of, because whoever was told died. One that takes nothing all the same is replaced.
   */
  async check(): Promise<void> {
    const { worker } = this;
    const { contract, connection, settings, bell, log } = this.parts;
    const { pattern, concurrency } = contract;
    // Jobs with a priority wait in a set of their own, and delayed ones until a worker finds that they are due.
    const [waits, prioritized, due, delayed, active] = await Promise.all([
      connection.llen(worker.toKey('wait')),
      connection.zcard(worker.toKey('prioritized')),
      this.countDelayedDue(),
      connection.zcard(worker.toKey('delayed')),
      connection.exists(worker.toKey('active')),
    ]);
    if (active) await worker.takeBackStalled();
    const waiting = waits + prioritized + due;
    const isFull = this.inWork.size >= concurrency;
    if (!isFull && (waiting > 0 || (delayed > 0 && !this.place.isTimed))) this.place.ring();
    if (waiting === 0 || isFull) this.lastSignOfLife = performance.now();
    const idleMs = performance.now() - this.lastSignOfLife;
    const replaced = idleMs >= settings.deafAfterMs;
    settings.observeQueue?.({ pattern, waiting, idleMs, replaced });
    if (!replaced) return;
    log.error({ pattern, waiting }, 'a worker takes no jobs though some wait: it is replaced');
    const deaf = this.worker;
    bell.leave(this.place);
    this.place = this.joinBell();
    this.worker = this.startWorker();
    this.lastSignOfLife = performance.now();
    void deaf.close().catch(() => undefined);
  }
}
