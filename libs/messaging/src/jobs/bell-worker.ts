import { type Job, LockManager, QueueKeys, RedisConnection, RedisQueueBackend, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { BellPlace, Marker } from './job-bell.js';

/** A worker whose queue holds no delayed job waits to be told. BullMQ wants an end to that, ours is the bell. */
const UNTOLD_WAIT_S = 3_600;
/** A timer of Node's runs for 24 days at most. */
const LONGEST_WAIT_S = 20 * 86_400;
/** Crashes are counted by ourselves: BullMQ's own bound leaves out recurring jobs. */
const NO_BOUND = 1_000_000;

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
      ...{ connection, prefix, concurrency, drainDelay: UNTOLD_WAIT_S, lockDuration: lockMs },
      // Replicas look side by side: one look within this time is done. A little less than the time between two of one.
      ...{ skipStalledCheck: true, stalledInterval: 0.9 * stalledCheckMs, maxStalledCount: NO_BOUND },
    };
    super(
      queue,
      process,
      options,
      (name, opts) => new BellBackend(connection, name, { ...opts, prefix }, place),
    );
  }

  /** Gives back jobs whose worker is gone: those found without a lock that the look before found as well. */
  async takeBackStalled(): Promise<void> {
    await this.backend.moveStalledJobsToWait();
  }

  protected override createLockManager(): void {
    const { lockDuration = 0, lockRenewTime = lockDuration / 2 } = this.opts;
    const worker = this as unknown as ConstructorParameters<typeof LockManager>[0];
    this.lockManager = new LockRenewer(worker, { lockRenewTime, lockDuration, workerId: this.id });
  }
}

/** BullMQ's way to Redis, but for the wait. */
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
    return LONGEST_WAIT_S;
  }

  override waitForJob(blockTimeout: number): Promise<Marker | null> {
    return this.place.wait(blockTimeout * 1_000, blockTimeout !== UNTOLD_WAIT_S);
  }

  override disconnectBlocking(): Promise<void> {
    this.place.cancel();
    return Promise.resolve();
  }

  override async reconnectBlocking(): Promise<void> {}
}

/** Renews the locks of the jobs in work, and has no timer while there are none. */
class LockRenewer extends LockManager {
  private timer: NodeJS.Timeout | undefined;

  override start(): void {}

  override trackJob(...job: Parameters<LockManager['trackJob']>): ReturnType<LockManager['trackJob']> {
    this.timer ??= setInterval(() => void this.renew(), this.opts.lockRenewTime / 2).unref();
    return super.trackJob(...job);
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
    const now = Date.now();
    const due = [...this.trackedJobs].filter(([, { ts }]) => (ts || 0) + this.opts.lockRenewTime / 2 < now);
    for (const [, tracked] of due) tracked.ts = now;
    if (due.length > 0) await this.extendLocks(due.map(([id]) => id));
  }
}
