import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { Broadcasts } from './broadcasts.js';
import type { MessagingLogger } from './logger.js';
import { MessagingModule, type MessagingOptions } from './messaging.module.js';
import { Messenger } from './messenger.js';
import { StreamsServer, type StreamsServerOptions } from './streams/streams-server.js';

export const silent: MessagingLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** A running replica: a real Nest application with the transport and the workers. */
export interface Replica {
  readonly messenger: Messenger;
  readonly broadcasts: Broadcasts;
  close(): Promise<void>;
}

class EmptyModule {}

/** Starts a replica of a service as service-host does, with short times. */
export async function startReplica(
  redisUrl: string,
  service: string,
  controllers: Type[],
  options: Partial<StreamsServerOptions> & Partial<MessagingOptions> = {},
): Promise<Replica> {
  const { logger = silent, keyPrefix = 'test:', jobs, ...streams } = options;
  const shared = { redisUrl, keyPrefix, logger };
  const module: DynamicModule = {
    module: EmptyModule,
    imports: [
      MessagingModule.forRoot({ service, ...shared, jobs: { lockMs: 1_000, stalledCheckMs: 500, ...jobs } }),
    ],
    controllers,
  };
  const strategy = new StreamsServer({ group: service, claimIdleMs: 400, ...shared, ...streams });
  const app = await NestFactory.createMicroservice(module, { strategy, logger: false });
  await app.listen();
  const context: INestApplicationContext = app;
  return {
    messenger: context.get(Messenger),
    broadcasts: context.get(Broadcasts),
    close: () => app.close(),
  };
}
