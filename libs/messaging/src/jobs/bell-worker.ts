import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '@kith/contracts';
import {
  ErrorCode,
  type Job,
  LockManager,
  QueueKeys,
  RedisConnection,
  RedisQueueBackend,
  Worker,
} from 'bullmq';
import type { Redis } from 'ioredis';
import { isRefusal, REFUSED_PAUSE_MS } from '../redis/connection.js';
import type { BellPlace, Marker } from './job-bell.js';

/** Wait that BullMQ is told for a queue without delayed jobs: it wants a bound, though the bell ends the wait. */
const UNTOLD_WAIT_S = 3_600;
/** A timer of Node's runs for 24 days at most. */
const MAX_WAIT_S = (20 * DAY_MS) / 1_000;
/** BullMQ's bound on crashes leaves out recurring jobs, so `WatchedWorker` counts them instead. */
const NO_BOUND = 1_000_000;

/** BullMQ's own backend, except that it waits for jobs at the bell. */
class BellBackend extends RedisQueueBackend {
  constructor(
    connection: Redis,
    name: string,
    options: ConstructorParameters<typeof RedisQueueBackend>[4] & { prefix: string },
    private readonly place: BellPlace,
  ) {
    const keys = new QueueKeys(options.prefix);
    const shared = new RedisConnection(connection, { shared: true, blocking: false });
    super(shared, name, keys.getKeys(name), (type) => keys.toKey(name, type), options);
  }

  override get maximumBlockTimeout(): number {
    return MAX_WAIT_S;
  }

  override waitForJob(blockTimeout: number): Promise<Marker | null> {
    return this.place.wait(blockTimeout * 1_000, blockTimeout !== UNTOLD_WAIT_S);
  }

  override disconnectBlocking(): Promise<void> {
    this.place.cancel();
    return Promise.resolve();
  }

  override async reconnectBlocking(): Promise<void> {}

  /** Takes a job, with a pause where Redis refuses: the worker would ask again at once, for as long as a job waits. */
  override async moveToActive(
    ...taken: Parameters<RedisQueueBackend['moveToActive']>
  ): ReturnType<RedisQueueBackend['moveToActive']> {
    try {
      return await super.moveToActive(...taken);
    } catch (error) {
      if (isRefusal(error)) await sleep(REFUSED_PAUSE_MS);
      throw error;
    }
  }
}

/** Renews the locks of the jobs in work, and has no timer while there are none. */
class LockRenewer extends LockManager {
  private timer: NodeJS.Timeout | undefined;

  override start(): void {}

  override trackJob(
    ...[id, token, , ...rest]: Parameters<LockManager['trackJob']>
  ): ReturnType<LockManager['trackJob']> {
    this.timer ??= setInterval(() => void this.renew(), this.opts.lockRenewTime / 2).unref();
    // BullMQ gives the time of day, which may be set back.
    return super.trackJob(id, token, performance.now(), ...rest);
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
    const now = performance.now();
    const due = [...this.trackedJobs].filter(([, { ts }]) => ts + this.opts.lockRenewTime / 2 < now);
    for (const [, tracked] of due) tracked.ts = now;
    if (due.length > 0) await this.extendLocks(due.map(([id]) => id));
  }
}

/** BullMQ's codes of a job that is there no more, or not delayed any more. */
const NOT_DELAYED: ReadonlySet<unknown> = new Set([ErrorCode.JobNotExist, ErrorCode.JobNotInState]);

export interface BellWorkerOptions {
  readonly connection: Redis;
  readonly prefix: string;
  readonly concurrency: number;
  /** A job whose worker shows no sign of life for so long is given to another. */
  readonly lockMs: number;
  readonly stalledCheckMs: number;
}

/** A BullMQ worker that waits at the bell, and sends nothing while it has nothing to do. */
export class BellWorker<Data> extends Worker<Data, unknown> {
  constructor(
    queue: string,
    process: (job: Job<Data>) => Promise<unknown>,
    place: BellPlace,
    { connection, prefix, concurrency, lockMs, stalledCheckMs }: BellWorkerOptions,
  ) {
    const options = {
      connection,
      prefix,
      concurrency,
      drainDelay: UNTOLD_WAIT_S,
      lockDuration: lockMs,
      // Of several replicas' looks within this interval one is done. It is a little shorter than one replica's pause.
      skipStalledCheck: true,
      stalledInterval: 0.9 * stalledCheckMs,
      maxStalledCount: NO_BOUND,
    };
    super(
      queue,
      process,
      options,
      (name, opts) => new BellBackend(connection, name, { ...opts, prefix }, place),
    );
  }

  /** Gives back the jobs of dead workers: those in work without a lock that the look before saw in work as well. */
  async takeBackStalled(): Promise<void> {
    await this.backend.moveStalledJobsToWait();
  }

  /** Has a delayed job come up so long from now. Does nothing where it has come up meanwhile. */
  async delayAnew(jobId: string, delayMs: number): Promise<void> {
    await this.backend.changeDelay(jobId, delayMs).catch((error: unknown) => {
      if (!NOT_DELAYED.has(Reflect.get(error as object, 'code'))) throw error;
    });
  }

  protected override createLockManager(): void {
    const { lockDuration = 0, lockRenewTime = lockDuration / 2 } = this.opts;
    const worker = this as unknown as ConstructorParameters<typeof LockManager>[0];
    this.lockManager = new LockRenewer(worker, { lockRenewTime, lockDuration, workerId: this.id });
  }
}
