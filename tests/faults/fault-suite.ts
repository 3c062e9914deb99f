import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatApiKey } from '@kith/contracts';
import { SERVICES, Stack, freePort, type Placement, type ServiceName } from '@kith/embedded';
import {
  compiledIn,
  DiscordDouble,
  FaultProxy,
  QdrantServer,
  ScriptedModel,
  TEST_CLUSTER,
  placeMigratedCluster,
  removeFolder,
  type DiscordChannel,
} from '@kith/testing';
import pg from 'pg';
import { mountDisk } from './disk.ts';
import { Shop } from './shop.ts';

export interface FaultSuiteOptions {
  /** `qdrant`: the server of QDRANT_URL, or the double, over the network; `exact`: in Postgres. */
  index: 'qdrant' | 'exact';
  placement: Placement;
  /** The model is not what breaks: it is waited for, however slow the machine that plays it is. */
  waitsForModel?: boolean;
  onProgress: (line: string) => void;
}

/** Proxies that can stand between the services and their stores. */
export interface Networks {
  redis: FaultProxy;
  postgres: FaultProxy;
  model: FaultProxy;
  discord: FaultProxy;
  vectors: FaultProxy;
}

/** The real suite behind networks that can fail, with doubles for the model and for Discord. */
export interface FaultSuite {
  stack: Stack;
  networks: Networks;
  model: ScriptedModel;
  discord: DiscordDouble;
  qdrant: QdrantServer;
  /** A tool's effect outside. */
  shop: Shop;
  index: FaultSuiteOptions['index'];
  general: DiscordChannel;
  lobby: DiscordChannel;
  key: string;
  /** SQL past every policy, and past the network's faults. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** Has the process of this service end at this step, once. Returns how to call it off. */
  armStep(service: ServiceName, step: string): Promise<() => Promise<void>>;
  moveClock(service: ServiceName, offsetMs: number): Promise<void>;
  /** Fills the disk of the stores and the logs. False where it can't have one of its own (see README). */
  fillDisk(): Promise<boolean>;
  freeDisk(): Promise<void>;
  logsDirectory: string;
  stop(): Promise<void>;
}

const ROOT = join(import.meta.dirname, '../..');
/** A small suite's own waits, so that a round takes seconds: what is proven does not depend on them. */
const QUICK = {
  TURN_DEBOUNCE_MS: '150',
  MODEL_TRY_TIMEOUT_MS: '4000',
  MODEL_FIRST_TOKEN_TIMEOUT_MS: '2500',
  MODEL_BUDGET_MS: '9000',
  REPLY_TIMEOUT_MS: '60000',
  RATE_LIMIT_PER_MINUTE: '1000000',
  LOG_LEVEL: 'info',
};
/** Settings where the model is waited for: longer than any machine stood still. */
const PATIENT = {
  MODEL_TRY_TIMEOUT_MS: '60000',
  MODEL_FIRST_TOKEN_TIMEOUT_MS: '60000',
  MODEL_BUDGET_MS: '90000',
};
/** Beats often, so that a zombie is noticed within a round. */
const HEARTBEAT_MS = 2_000;

export async function startFaultSuite({
  index,
  placement,
  waitsForModel = false,
  onProgress,
}: FaultSuiteOptions): Promise<FaultSuite> {
  const directory = await mkdtemp(join(tmpdir(), 'kith-faults-'));
  const disk = await mountDisk(directory);
  const faultDirectory = join(directory, 'faults');
  await mkdir(faultDirectory, { recursive: true });
  const ports: Record<string, number> = { postgres: await freePort(), redis: await freePort() };
  for (const { name } of SERVICES) ports[name] = await freePort();
  const [model, discord, qdrant, shop] = await Promise.all([
    ScriptedModel.start(),
    DiscordDouble.start({ heartbeatIntervalMs: HEARTBEAT_MS }),
    QdrantServer.open('faults'),
    Shop.start(),
  ]);
  const guild = discord.guild('Home');
  const [general, lobby] = [discord.channel(guild, 'general'), discord.channel(guild, 'lobby')];
  const portOf = (url: string) => ({ port: Number(new URL(url).port) });
  const vectors = new URL(qdrant.url);
  if (index === 'qdrant' && vectors.protocol !== 'http:')
    throw new Error('rounds break the network before Qdrant, which TLS hides: give QDRANT_URL as http://');
  const networks: Networks = {
    redis: await FaultProxy.start({ port: ports['redis']! }),
    postgres: await FaultProxy.start({ port: ports['postgres']! }),
    model: await FaultProxy.start(portOf(model.url)),
    discord: await FaultProxy.start({ port: discord.port }),
    vectors: await FaultProxy.start({ host: vectors.hostname, port: Number(vectors.port || 80) }),
  };
  discord.announceGatewayAt(networks.discord.port);
  const key = formatApiKey(randomBytes(32));
  await placeMigratedCluster(join(directory, 'postgres'));
  const stack = await Stack.start({
    root: ROOT,
    directory,
    ports: ports as { postgres: number; redis: number } & Record<ServiceName, number>,
    placement,
    secrets: { ...TEST_CLUSTER, redisPassword: 'redis', apiKey: key },
    environment: {
      ...QUICK,
      ...(waitsForModel && PATIENT),
      DATABASE_URL: `postgres://kith_app:app@127.0.0.1:${networks.postgres.port}/kith`,
      REDIS_URL: `redis://:redis@127.0.0.1:${networks.redis.port}`,
      VECTOR_INDEX: index,
      ...(index === 'qdrant' && {
        ...qdrant.environment,
        QDRANT_URL: `http://127.0.0.1:${networks.vectors.port}`,
      }),
      CHAT_MODELS: 'compatible:scripted',
      CHAT_TOOLS: 'true',
      // Without it a turn that dies knows that it called something, and not what.
      THOUGHTS_KEY: randomBytes(32).toString('hex'),
      TOOLS_DIRECTORY: shop.directory,
      COMPATIBLE_BASE_URL: `http://127.0.0.1:${networks.model.port}/v1`,
      DISCORD_TOKEN: discord.token,
      DISCORD_API_BASE: `http://127.0.0.1:${networks.discord.port}/api`,
    },
    processEnvironment: {
      ...compiledIn(ROOT),
      NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'hook.mjs')).href}`,
      KITH_FAULT_DIRECTORY: faultDirectory,
    },
    durable: true,
    onProgress,
  });
  const owner = new pg.Pool({ connectionString: stack.postgres.ownerUrl('kith'), max: 3 });
  owner.on('error', () => undefined); // Postgres is stopped under it, on purpose
  await discord.waitForReady(30_000);
  return {
    stack,
    networks,
    model,
    discord,
    qdrant,
    shop,
    index,
    general,
    lobby,
    key,
    query: async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
      (await owner.query<Row>(sql, values)).rows,
    armStep: async (service, step) => {
      const file = join(faultDirectory, `${stack.service(service).process.name}.${step}`);
      await writeFile(file, '');
      return () => rm(file, { force: true });
    },
    moveClock: async (service, offsetMs) => {
      const file = join(faultDirectory, `${stack.service(service).process.name}.clock`);
      if (offsetMs === 0) await rm(file, { force: true });
      else await writeFile(file, String(offsetMs));
    },
    fillDisk: () => disk.fill(),
    freeDisk: async () => {
      await disk.free();
      // PostgreSQL gives up when it can't write its log, and its next start may be seconds away.
      await stack.postgres.start();
    },
    logsDirectory: join(directory, 'logs'),
    stop: async () => {
      await owner.end();
      await stack.stop();
      for (const network of Object.values(networks) as FaultProxy[]) await network.stop();
      await Promise.all([model.stop(), discord.stop(), qdrant.stop(), shop.stop()]);
      await disk.unmount();
      removeFolder(directory);
    },
  };
}
