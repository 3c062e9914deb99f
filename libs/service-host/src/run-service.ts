import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Module, type DynamicModule, type LoggerService, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { MessagingModule, Neighbours, redisProbe, StreamsServer, withCorrelationId } from '@kith/messaging';
import type { NextFunction, Request, Response } from 'express';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { baseSettings } from './common-settings.js';
import { countInUtc, processEnvironment } from './config.js';
import { DegradedStates } from './health/degraded-states.js';
import { HealthChecks } from './health/health-checks.js';
import { createLogger } from './logs/logging.js';
import { observeHandling } from './logs/observe-handling.js';
import { endWithSupervisor } from './process/end-with-supervisor.js';
import { Refusals } from './process/refusals.js';
import { refuseWhileClosing } from './process/refuse-while-closing.js';
import { hostModule, probeController } from './wiring/service-host.module.js';
import { readSettings, type SettingsOf, type SettingsTree } from './settings.js';

type BaseSettings = ReturnType<typeof baseSettings>;

/** Parts that make a service, wherever it is placed. */
export interface ServiceDefinition<Tree extends SettingsTree & BaseSettings> {
  /** Its name: consumer group, log field, health entry. */
  name: string;
  settings: Tree;
  /** The service's own module, wired from its settings. */
  module: (config: SettingsOf<Tree>, logger: Logger) => DynamicModule | Type | Promise<DynamicModule>;
  /** Effect that people notice while Redis is away, where the service can do without: in a process alone, and with others. */
  withoutRedis?: { apart: string; together: string };
  /** For what only the gateway has: middleware, WebSocket, pages. Runs before the app listens. */
  extend?: (app: NestExpressApplication, config: SettingsOf<Tree>) => Promise<void> | void;
}

/** Long enough to finish a turn that is under way; a little less than Compose waits (30 s). */
const DRAIN_MS = 25_000;
/**
 * Connections that may wait while this process is busy: as many as Linux lets a program have. When more come, the kernel
 * resets some of them after seconds. Node lets 511 wait, which a flood fills.
 */
const MAX_UNTAKEN = 4_096;
const CORRELATION_ID = /^[A-Za-z0-9-]{8,64}$/;

type Environment = Readonly<Record<string, string | undefined>>;

interface StartedService {
  readonly logger: Logger;
  close(): Promise<void>;
}

/**
 * Runs a service in a process of its own: settings, log, health, metrics, transport; drains on SIGTERM and SIGINT. A
 * service whose settings are wrong says all that is wrong with them and ends with code 1. A store that is not there yet
 * does not end it: it listens, is not ready, and gets ready when the store is.
 */
export async function runService<Tree extends SettingsTree & BaseSettings>(
  definition: ServiceDefinition<Tree>,
  environment: Environment = processEnvironment,
): Promise<void> {
  // Its functions are called with settings of its own tree alone.
  await run([[{ definition: definition as unknown as PlacedService['definition'], environment }]]);
}

/** A service to be run beside others, with the environment that it would have alone. */
export interface PlacedService {
  readonly definition: ServiceDefinition<SettingsTree & BaseSettings>;
  readonly environment: Environment;
}

/**
 * Runs several services in this process, where they reach each other by calls instead of over Redis. All else is as if
 * each had a process of its own: its settings, log lines, probes and metrics. Where some refuse their settings, all of
 * those say so before the process ends.
 * @param steps services in the order they drain at the end: those of one step side by side, the first step first
 */
export async function runTogether(steps: readonly (readonly PlacedService[])[]): Promise<void> {
  await run(steps, new Neighbours());
}

async function run(steps: readonly (readonly PlacedService[])[], neighbours?: Neighbours): Promise<void> {
  const runningBySteps = steps.map((step) => ({ step, running: [] as StartedService[] }));
  // What a service writes to disk is its own user's alone.
  process.umask(0o077);
  countInUtc();
  endWithSupervisor();
  drainOnSignal(runningBySteps.map(({ running }) => running));
  const refusals = new Refusals();
  const starting = runningBySteps.flatMap(({ step, running }) =>
    step.map(({ definition, environment }) =>
      startOrExit(definition, { environment, neighbours, running, refusals }),
    ),
  );
  await Promise.all(starting);
  refusals.end();
}

interface ServicePlacement {
  readonly environment: Environment;
  readonly neighbours?: Neighbours | undefined;
  /** Services of the same step: this one is added before it begins to listen. */
  readonly running: StartedService[];
  /** Refusals of all services in this process: where there is one, none begins to listen any more. */
  readonly refusals: Refusals;
}

async function startOrExit(
  definition: PlacedService['definition'],
  { environment, ...placement }: ServicePlacement,
): Promise<void> {
  let logger: Logger | undefined;
  try {
    const config = readSettings(definition.settings, environment);
    logger = createLogger(definition.name, config.log.level);
    await start(definition, config, { ...placement, logger });
  } catch (error) {
    // Recognised by its name: libraries that read files from the settings throw such errors of their own.
    if (error instanceof Error && error.name === 'SettingsError') {
      placement.refusals.add(definition.name, error.message);
      return;
    }
    if (!logger) throw error;
    logger.fatal({ err: error }, 'could not start');
    placement.refusals.end();
    process.exit(1);
  }
}

async function start(
  definition: PlacedService['definition'],
  config: SettingsOf<SettingsTree & BaseSettings>,
  { logger, neighbours, running, refusals }: Omit<ServicePlacement, 'environment'> & { logger: Logger },
): Promise<void> {
  const metrics = new Registry();
  const states = new DegradedStates(metrics, {
    onChange: ({ part, effect, since }, isEntered) =>
      isEntered
        ? logger.warn({ part, effect }, 'running without a part')
        : logger.info({ part, since }, 'a part works again'),
  });
  const checks = new HealthChecks(definition.name, states);
  metrics.setDefaultLabels({ service: definition.name });
  const observed = observeHandling(metrics);
  const { withoutRedis = null } = definition;
  const probe = redisProbe(config.redis.url, () => checks.noticeTrouble());
  checks.add(
    'redis',
    () => probe.ping(),
    withoutRedis && { part: 'redis', effect: neighbours ? withoutRedis.together : withoutRedis.apart },
  );

  const probes = probeController(definition.name, { checks, metrics, metricsToken: config.metrics.token });

  @Module({
    imports: [
      hostModule({ logger, checks, states, metrics }, [probes]),
      MessagingModule.forRoot({
        service: definition.name,
        redisUrl: config.redis.url,
        keyPrefix: config.redis.keyPrefix,
        logger,
        ...(neighbours && { neighbours }),
        jobs: { observe: observed.job, observeQueue: observed.queue },
      }),
      await definition.module(config, logger),
    ],
  })
  class RootModule {}

  // Nest types these options as a class, which nobody constructs.
  // oxlint-disable-next-line typescript/no-unsafe-assignment
  const app = await NestFactory.create<NestExpressApplication>(RootModule, {
    logger: nestLogger(logger),
    abortOnError: false,
    bodyParser: false,
  });
  app.disable('x-powered-by');
  app.use(beginCorrelation);
  const state = { isListening: false, isClosing: false };
  app.use(refuseWhileClosing(() => state.isClosing));
  checks.add('transport', () => {
    if (state.isClosing) throw new Error('stopping');
    if (!state.isListening) throw new Error('not listening yet');
  });
  app.connectMicroservice({
    strategy: new StreamsServer({
      redisUrl: config.redis.url,
      group: definition.name,
      keyPrefix: config.redis.keyPrefix,
      logger,
      ...(neighbours && { neighbours }),
      observe: observed.message,
    }),
  });
  await definition.extend?.(app, config);
  if (refusals.isAny) return;
  const close = async () => {
    state.isClosing = true;
    // Its connections are about to close, which is no lack.
    checks.unwatch();
    await app.close();
    probe.close();
  };
  running.push({ logger, close });
  await app.init();
  const { host, port } = config.http;
  // Nest's own `listen` takes no backlog.
  await once(app.getHttpServer().listen({ host, port, backlog: MAX_UNTAKEN }), 'listening');
  // Nobody would finish requests that it began to read now.
  if (state.isClosing) return;
  logger.info({ port }, 'listening');
  checks.watch();
  await app.startAllMicroservices();
  state.isListening = true;
  logger.info('ready for messages');
}

/** Begins a correlation id at the door, or takes up the caller's where it has a sane form. */
function beginCorrelation(request: Request, response: Response, next: NextFunction): void {
  const given = request.header('x-correlation-id');
  const id = given && CORRELATION_ID.test(given) ? given : randomUUID();
  response.setHeader('x-correlation-id', id);
  withCorrelationId(id, next);
}

/** At SIGTERM or SIGINT the services of the first step drain side by side, then those of the second, and so on. */
function drainOnSignal(steps: readonly (readonly StartedService[])[]): void {
  let draining = false;
  const drain = (signal: NodeJS.Signals) => {
    if (draining) return;
    draining = true;
    const logger = steps.flat()[0]?.logger;
    // Nothing has begun yet that would have to end well.
    if (!logger) process.exit(0);
    logger.info({ signal }, 'draining');
    setTimeout(() => {
      logger.warn('did not drain in time');
      process.exit(1);
    }, DRAIN_MS).unref();
    void closeInSteps(steps).then(
      () => {
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

async function closeInSteps(steps: readonly (readonly StartedService[])[]): Promise<void> {
  for (const step of steps) await Promise.all(step.map((service) => service.close()));
}

/** Passes Nest's own lines on: what goes wrong is kept, its start-up chatter goes to the debug level. */
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
