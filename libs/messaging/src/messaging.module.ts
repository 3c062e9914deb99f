import { type DynamicModule, Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { Broadcasts } from './broadcasts/broadcasts.js';
import type { JobRunnerSettings } from './jobs/job-runner.js';
import { JobWorkers } from './handlers/job-workers.js';
import { Messenger } from './messenger.js';
import type { ServiceOptions } from './service-options.js';
import { DEFAULT_KEY_PREFIX } from './streams/keys.js';

export interface MessagingOptions extends ServiceOptions {
  readonly jobs?: Partial<Omit<JobRunnerSettings, 'keyPrefix' | 'neighbours'>>;
}

// A killed worker's job is with another one within fifteen seconds. Draining lasts as long, since a model's answer may.
const JOB_DEFAULTS = { lockMs: 10_000, stalledCheckMs: 5_000, drainMs: 15_000, deafAfterMs: 30_000 };

/** Provides `Messenger` and `Broadcasts` everywhere and runs the app's `@Handles` methods. */
@Global()
@Module({})
export class MessagingModule implements OnApplicationShutdown {
  constructor(
    private readonly messenger: Messenger,
    private readonly broadcasts: Broadcasts,
  ) {}

  static forRoot(options: MessagingOptions): DynamicModule {
    const { jobs, keyPrefix = DEFAULT_KEY_PREFIX, logger, ...rest } = options;
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
