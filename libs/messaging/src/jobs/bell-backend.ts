import { DAY_MS } from '@kith/contracts';
import { QueueKeys, RedisConnection, RedisQueueBackend } from 'bullmq';
import type { Redis } from 'ioredis';
import type { BellPlace, Marker } from './job-bell.js';

/** Wait that BullMQ is told for a queue without delayed jobs: it wants a bound, though the bell ends the wait. */
export const UNTOLD_WAIT_S = 3_600;
/** A timer of Node's runs for 24 days at most. */
const MAX_WAIT_S = (20 * DAY_MS) / 1_000;
/** BullMQ's bound on crashes leaves out recurring jobs, so `WatchedWorker` counts them instead. */
export const NO_BOUND = 1_000_000;

/** BullMQ's own backend, except that it waits for jobs at the bell. */
export class BellBackend extends RedisQueueBackend {
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
}
