import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type DynamicModule, type INestApplicationContext, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { freePort } from '@kith/embedded';
import { Messenger, MessagingModule, StreamsServer } from '@kith/messaging';
import { DegradedStates, HealthChecks, hostModule } from '@kith/service-host';
import { readSettings } from '@kith/service-host/settings';
import type { FreshStores } from '@kith/testing';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { appModule } from '../app.module.js';
import { settings } from '../config.js';
import { PARTS, type Parts, type Paces } from '../parts.js';
import { discordJs } from '../rest/discord-js.js';
import { STATE, type SuiteState } from './suite-state.js';
import { MemoryDouble } from './memory-double.js';
import { CharacterDouble } from './character-double.js';
import { GatewayDouble } from './gateway-double.js';

const KEY_PREFIX = 'test:';
/** Every line that was logged, for tests of what stands in none. */
export const logged: string[] = [];
const logger = pino({ level: 'debug' }, { write: (line) => void logged.push(line) });

export interface RunningService {
  app: INestApplicationContext;
  messenger: Messenger;
  stop(): Promise<void>;
}

export interface RunningBot extends RunningService {
  parts: Parts;
}

/**
 * The real bot, as `main.ts` wires it, but for the HTTP probes. discord.js is there before it begins: Jest takes seconds
 * to load it on a busy machine, and this process answers nothing meanwhile.
 */
export async function runBot(
  stores: FreshStores,
  environment: Record<string, string>,
  paces?: Partial<Paces>,
): Promise<RunningBot> {
  if (environment.DISCORD_TOKEN !== undefined) await discordJs();
  const { redisUrl, databaseUrl } = stores;
  const config = readSettings(settings, { REDIS_URL: redisUrl, DATABASE_URL: databaseUrl, ...environment });
  const metrics = new Registry();
  const states = new DegradedStates(metrics);
  const host = hostModule({ checks: new HealthChecks('discord-bot'), states, metrics, logger });
  const module = { module: class {}, imports: [host, appModule(config, paces)] };
  const running = await run('discord-bot', redisUrl, module);
  return { ...running, parts: running.app.get<Parts>(PARTS) };
}

export interface BotProcess {
  /** Ends it as an operator or the kernel would; returns when it is gone. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** The bot as a process of its own, as it is built. */
export async function spawnBot(
  stores: FreshStores,
  environment: Record<string, string>,
): Promise<BotProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../dist/main.js')], {
    env: {
      REDIS_URL: stores.redisUrl,
      REDIS_KEY_PREFIX: KEY_PREFIX,
      DATABASE_URL: stores.databaseUrl,
      DISCORD_BOT_PORT: String(await freePort()),
      ...environment,
    },
    stdio: 'ignore',
  });
  const gone = once(child, 'exit');
  return {
    end: async (signal) => {
      child.kill(signal);
      await gone;
    },
  };
}

/** The other services' side of the contracts. Leave some out and they are services that are down. */
export function runSuite(
  redisUrl: string,
  state: SuiteState,
  controllers: Type[] = [GatewayDouble, CharacterDouble, MemoryDouble],
): Promise<RunningService> {
  const providers = [{ provide: STATE, useValue: state }];
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
