import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Broadcasts } from './broadcasts/broadcasts.js';
import type { MessagingLogger } from './logger.js';
import { MessagingModule, type MessagingOptions } from './messaging.module.js';
import { Messenger } from './messenger.js';
import type { StreamsServerOptions } from './streams/server-options.js';
import { StreamsServer } from './streams/streams-server.js';
import { TestRedis } from './testing-redis.js';

/** A running replica: a real Nest application with the transport and the workers. */
export interface Replica {
  readonly messenger: Messenger;
  readonly broadcasts: Broadcasts;
  close(): Promise<void>;
}

type ReplicaOptions = Partial<StreamsServerOptions> & Pick<MessagingOptions, 'jobs'>;
type MessengerOptions = { redisUrl?: string; sendWithinMs?: number; checkSchedulesEveryMs?: number };

class EmptyModule {}

/**
 * A Redis of the test file's own and what the tests run on it. Each test has its own keys, and what it
 * opened is closed after it.
 */
export class Bench {
  redis!: TestRedis;
  messenger!: Messenger;
  keyPrefix = '';
  /** Lines logged by anything on the bench. */
  readonly logged: { level: string; fields: object; message: string }[] = [];
  private tests = 0;
  private closing: (() => Promise<void> | void)[] = [];

  static forThisFile(): Bench {
    const bench = new Bench();
    beforeAll(async () => {
      bench.redis = await TestRedis.start();
    });
    beforeEach(() => {
      bench.keyPrefix = `test${(bench.tests += 1)}:`;
      bench.logged.length = 0;
      bench.messenger = bench.openMessenger();
    });
    afterEach(async () => {
      await Promise.all(bench.closing.splice(0).map(async (close) => close()));
    });
    afterAll(() => bench.redis.stop());
    return bench;
  }

  get logger(): MessagingLogger {
    const keep = (level: string) => (fields: object, message: string) => {
      this.logged.push({ level, fields, message });
    };
    return { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };
  }

  get shared() {
    return { redisUrl: this.redis.url, keyPrefix: this.keyPrefix, logger: this.logger };
  }

  onClose(close: () => Promise<void> | void): void {
    this.closing.push(close);
  }

  openMessenger(options: MessengerOptions = {}): Messenger {
    const messenger = new Messenger({ service: 'test', ...this.shared, ...options });
    this.onClose(() => messenger.close());
    return messenger;
  }

  openBroadcasts(options: { subscribeWithinMs?: number; redisUrl?: string } = {}): Broadcasts {
    const broadcasts = new Broadcasts({ service: 'test', ...this.shared, ...options });
    this.onClose(() => broadcasts.close());
    return broadcasts;
  }

  /** A connection for the test to look with. */
  look() {
    const client = this.redis.client();
    this.onClose(() => client.disconnect());
    return client;
  }

  /** Starts a replica of a service as service-host does, with short times. */
  async startReplica(service: string, controllers: Type[], options: ReplicaOptions = {}): Promise<Replica> {
    const { jobs, ...streams } = options;
    const beside = options.neighbours && { neighbours: options.neighbours };
    const shared = { ...this.shared, redisUrl: options.redisUrl ?? this.redis.url };
    const module: DynamicModule = {
      module: EmptyModule,
      imports: [
        MessagingModule.forRoot({
          service,
          ...shared,
          ...beside,
          jobs: { lockMs: 1_000, stalledCheckMs: 500, drainMs: 5_000, ...jobs },
        }),
      ],
      controllers,
    };
    const app = await NestFactory.create(module, { logger: false });
    const strategy = new StreamsServer({ group: service, claimIdleMs: 400, ...shared, ...streams });
    app.connectMicroservice({ strategy });
    await app.init();
    await app.startAllMicroservices();
    let closed: Promise<void> | undefined;
    const close = () => (closed ??= app.close());
    this.onClose(close);
    return { messenger: app.get(Messenger), broadcasts: app.get(Broadcasts), close };
  }
}
