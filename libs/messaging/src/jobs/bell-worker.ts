import { ErrorCode, type Job, LockManager, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { BellPlace } from './job-bell.js';
import { UNTOLD_WAIT_S, NO_BOUND, BellBackend } from './bell-backend.js';
import { LockRenewer } from './lock-renewer.js';

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
      ...{ connection, prefix, concurrency, drainDelay: UNTOLD_WAIT_S, lockDuration: lockMs },
      // Of several replicas' looks within this interval one is done. It is a little shorter than one replica's pause.
      ...{ skipStalledCheck: true, stalledInterval: 0.9 * stalledCheckMs, maxStalledCount: NO_BOUND },
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
