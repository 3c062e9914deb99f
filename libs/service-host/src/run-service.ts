import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { Module, type DynamicModule, type LoggerService, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { MessagingModule, StreamsServer, withCorrelationId } from '@kith/messaging';
import type { NextFunction, Request, Response } from 'express';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { Registry, collectDefaultMetrics } from 'prom-client';
import type { baseSettings } from './common-settings.js';
import { processEnvironment } from './config.js';
import { DegradedStates } from './degraded-states.js';
import { HealthChecks } from './health-checks.js';
import { createLogger } from './logging.js';
import { observeHandling } from './observe-handling.js';
import { endWithSupervisor } from './end-with-supervisor.js';
import { ServiceHostModule } from './service-host.module.js';
import { SettingsError, readSettings, type SettingsOf, type SettingsTree } from './settings.js';

type BaseSettings = ReturnType<typeof baseSettings>;

/** How a process of the suite is made. */
export interface ServiceDefinition<Tree extends SettingsTree & BaseSettings> {
  /** Its name: consumer group, log field, health entry. */
  name: string;
  settings: Tree;
  /** The service's own module, wired from its settings. */
  module: (config: SettingsOf<Tree>) => DynamicModule | Type;
  /** What people get while Redis is away, from a service that can do without. */
  withoutRedis?: string;
  /** For what only the gateway has: middleware, WebSocket, pages. Runs before the app listens. */
  extend?: (app: NestExpressApplication, config: SettingsOf<Tree>) => Promise<void> | void;
}

/** Long enough to finish a turn that is under way; a little less than Compose waits (30 s). */
const DRAIN_MS = 25_000;
const CORRELATION_ID = /^[A-Za-z0-9-]{8,64}$/;

/**
 * Starts a service: settings, log, health, metrics, transport; drains on SIGTERM and SIGINT. A service whose
 * settings are wrong says all that is wrong with them and ends with code 1. A store that is not there yet
 * does not end it: it listens, is not ready, and gets ready when the store is.
 */
export async function runService<Tree extends SettingsTree & BaseSettings>(
  definition: ServiceDefinition<Tree>,
): Promise<void> {
  // What a service writes to disk is its own user's alone.
  process.umask(0o077);
  endWithSupervisor();
  const config = readOrExit(definition);
  const base = config as SettingsOf<BaseSettings>;
  const logger = createLogger(definition.name, base.log.level);
  try {
    await start(definition, config, base, logger);
  } catch (error) {
    logger.fatal({ err: error }, 'could not start');
    process.exit(1);
  }
}

async function start<Tree extends SettingsTree & BaseSettings>(
  definition: ServiceDefinition<Tree>,
  config: SettingsOf<Tree>,
  base: SettingsOf<BaseSettings>,
  logger: Logger,
): Promise<void> {
  const metrics = new Registry();
  const states = new DegradedStates(metrics, {
    onChange: ({ part, effect, since }, isEntered) =>
      isEntered
        ? logger.warn({ part, effect }, 'goes on without a part')
        : logger.info({ part, since }, 'a part is back'),
  });
  const checks = new HealthChecks(definition.name, states);
  metrics.setDefaultLabels({ service: definition.name });
  collectDefaultMetrics({ register: metrics });
  const observed = observeHandling(metrics);
  const probe = redisProbe(base.redis.url);
  checks.add(
    'redis',
    () => probe.ping(),
    definition.withoutRedis === undefined ? null : { part: 'redis', effect: definition.withoutRedis },
  );

  @Module({
    imports: [
      ServiceHostModule.with(definition.name, {
        ...{ logger, checks, states, metrics },
        metricsToken: base.metrics.token,
      }),
      MessagingModule.forRoot({
        service: definition.name,
        redisUrl: base.redis.url,
        keyPrefix: base.redis.keyPrefix,
        logger,
        jobs: { observe: observed.job, observeQueue: observed.queue },
      }),
      definition.module(config),
    ],
  })
  class RootModule {}

  const app = await NestFactory.create<NestExpressApplication>(RootModule, {
    logger: nestLogger(logger),
    abortOnError: false,
    bodyParser: false,
  });
  app.disable('x-powered-by');
  app.use(beginCorrelation);
  let listening = false;
  checks.add('transport', async () => {
    if (!listening) throw new Error('not listening yet');
  });
  app.connectMicroservice({
    strategy: new StreamsServer({
      redisUrl: base.redis.url,
      group: definition.name,
      keyPrefix: base.redis.keyPrefix,
      logger,
      observe: observed.message,
    }),
  });
  await definition.extend?.(app, config);
  drainOnSignal(app, probe, logger);
  await app.listen(base.http.port, base.http.host);
  logger.info({ port: base.http.port }, 'listening');
  checks.watch();
  await app.startAllMicroservices();
  listening = true;
  logger.info('ready for messages');
}

function readOrExit<Tree extends SettingsTree>(definition: {
  name: string;
  settings: Tree;
}): SettingsOf<Tree> {
  try {
    return readSettings(definition.settings, processEnvironment);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    console.error(`${definition.name} can't start, its settings are wrong:\n${error.message}`);
    process.exit(1);
  }
}

/** Begins a correlation id at the door, or takes up the caller's where it has a sane form. */
function beginCorrelation(request: Request, response: Response, next: NextFunction): void {
  const given = request.header('x-correlation-id');
  const id = given && CORRELATION_ID.test(given) ? given : randomUUID();
  response.setHeader('x-correlation-id', id);
  withCorrelationId(id, next);
}

function redisProbe(url: string): { ping(): Promise<void>; close(): void } {
  const redis = new Redis(url, {
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    connectTimeout: 1_000,
    // A socket that is already gone is waited for in vain.
    disconnectTimeout: 200,
    // A connection that nothing comes back on is made anew.
    socketTimeout: 5_000,
  });
  redis.on('error', () => undefined); // said by ping
  return {
    ping: async () => {
      if (redis.status !== 'ready') throw new Error('not connected');
      await redis.ping();
    },
    close: () => redis.disconnect(),
  };
}

function drainOnSignal(app: NestExpressApplication, probe: { close(): void }, logger: Logger): void {
  let draining = false;
  const drain = (signal: NodeJS.Signals) => {
    if (draining) return;
    draining = true;
    logger.info({ signal }, 'draining');
    setTimeout(() => {
      logger.warn('did not drain in time');
      process.exit(1);
    }, DRAIN_MS).unref();
    void app.close().then(
      () => {
        probe.close();
        logger.info('stopped');
        process.exit(0);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'could not drain');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', drain);
  process.on('SIGINT', drain);
}

/** Nest's own lines: what goes wrong is kept, its start-up chatter is not. */
function nestLogger(logger: Logger): LoggerService {
  const asText = (message: unknown) => (message instanceof Error ? message.message : String(message));
  return {
    log: (message: unknown) => logger.debug(asText(message)),
    warn: (message: unknown) => logger.warn(asText(message)),
    error: (message: unknown, stack?: unknown) => logger.error({ stack }, asText(message)),
    fatal: (message: unknown, stack?: unknown) => logger.fatal({ stack }, asText(message)),
    debug: (message: unknown) => logger.debug(asText(message)),
    verbose: (message: unknown) => logger.trace(asText(message)),
  };
}
