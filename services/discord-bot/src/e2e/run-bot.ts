import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Global, Module, type DynamicModule, type INestApplicationContext, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { freePort, startRedis, type RunningRedis } from '@kith/embedded';
import { Messenger, MessagingModule, StreamsServer } from '@kith/messaging';
import { HealthChecks, LOGGER, readSettings } from '@kith/service-host';
import { pino } from 'pino';
import { AppModule } from '../app.module.js';
import { settings } from '../config.js';
import { CharacterDouble, GatewayDouble, MemoryDouble, SuiteState } from './suite-double.js';

const KEY_PREFIX = 'test:';
const logger = pino({ level: 'silent' });
const checks = new HealthChecks('discord-bot');

@Global()
@Module({
  providers: [
    { provide: HealthChecks, useValue: checks },
    { provide: LOGGER, useValue: logger },
  ],
  exports: [HealthChecks, LOGGER],
})
class HostDouble {}

export interface RunningService {
  app: INestApplicationContext;
  messenger: Messenger;
  stop(): Promise<void>;
}

/** A Redis for a test file. */
export async function runRedis(): Promise<{ url: string; stop(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'kith-discord-'));
  const redis: RunningRedis = await startRedis({ directory, port: await freePort(), password: 'test' });
  return {
    url: redis.url,
    stop: async () => {
      await redis.stop('SIGKILL');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The real bot, as `main.ts` wires it, but for the HTTP probes. */
export function runBot(redisUrl: string, environment: Record<string, string>): Promise<RunningService> {
  const config = readSettings(settings, { REDIS_URL: redisUrl, ...environment });
  return run('discord-bot', redisUrl, { module: class {}, imports: [HostDouble, AppModule.with(config)] });
}

/** The other services' side of the contracts. Leave some out and they are services that are down. */
export function runSuite(
  redisUrl: string,
  state: SuiteState,
  controllers: Type[] = [GatewayDouble, CharacterDouble, MemoryDouble],
): Promise<RunningService> {
  const providers = [{ provide: SuiteState, useValue: state }];
  return run('suite', redisUrl, { module: class {}, controllers, providers });
}

async function run(service: string, redisUrl: string, module: DynamicModule): Promise<RunningService> {
  const shared = { redisUrl, keyPrefix: KEY_PREFIX, logger };
  const messaging = MessagingModule.forRoot({ service, ...shared });
  const root = { ...module, imports: [messaging, ...(module.imports ?? [])] };
  const strategy = new StreamsServer({ group: service, ...shared });
  const app = await NestFactory.createMicroservice(root, { strategy, logger: false, abortOnError: false });
  await app.listen();
  return { app, messenger: app.get(Messenger), stop: () => app.close() };
}
