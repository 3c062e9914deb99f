import { type DynamicModule, Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { Broadcasts } from './broadcasts.js';
import type { JobDone } from './jobs/job-runner.js';
import type { WatchedQueue } from './jobs/watched-worker.js';
import { JobWorkers } from './jobs/job-workers.service.js';
import type { Neighbours } from './local/neighbours.js';
import { type MessagingLogger, nestLogger } from './logger.js';
import { Messenger } from './messenger.js';
import { DEFAULT_KEY_PREFIX } from './streams/keys.js';

export interface MessagingOptions {
  readonly service: string;
  readonly redisUrl: string;
  readonly keyPrefix?: string;
  readonly logger?: MessagingLogger;
  /** The services of the same process, where there are any. */
  readonly neighbours?: Neighbours;
  readonly sendWithinMs?: number;
  readonly jobs?: {
    /** A job whose worker shows no sign of life for so long is given to another. */
    readonly lockMs?: number;
    readonly stalledCheckMs?: number;
    readonly drainMs?: number;
    /** A worker that takes nothing for so long while jobs wait is replaced. */
    readonly deafAfterMs?: number;
    /** Called after each try of a job; must not throw. */
    readonly observe?: (done: JobDone) => void;
    /** Called at each look at a queue; must not throw. */
    readonly observeQueue?: (queue: WatchedQueue) => void;
  };
}

// A killed worker's job is with another one within fifteen seconds. A model's answer may take as long, so
// draining waits for it.
const JOB_DEFAULTS = { lockMs: 10_000, stalledCheckMs: 5_000, drainMs: 15_000, deafAfterMs: 30_000 };

/** Provides `Messenger` and `Broadcasts` everywhere and runs the app's `@Works` methods. */
@Global()
@Module({})
export class MessagingModule implements OnApplicationShutdown {
  constructor(
    @Inject(Messenger) private readonly messenger: Messenger,
    @Inject(Broadcasts) private readonly broadcasts: Broadcasts,
  ) {}

  static forRoot(options: MessagingOptions): DynamicModule {
    const { jobs, keyPrefix = DEFAULT_KEY_PREFIX, logger = nestLogger(), ...rest } = options;
    const shared = { ...rest, keyPrefix, logger };
    return {
      module: MessagingModule,
      imports: [DiscoveryModule],
      providers: [
        { provide: Messenger, useFactory: () => new Messenger(shared) },
        { provide: Broadcasts, useFactory: () => new Broadcasts(shared) },
        {
          provide: JobWorkers,
          inject: [DiscoveryService],
          useFactory: (discovery: DiscoveryService) =>
            new JobWorkers(discovery, { ...JOB_DEFAULTS, ...shared, ...jobs }, logger),
        },
      ],
      exports: [Messenger, Broadcasts],
    };
  }

  /** Last, when jobs and handlers are done with them. */
  async onApplicationShutdown(): Promise<void> {
    await this.messenger.close();
    this.broadcasts.close();
  }
}
