import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatApiKey, type TurnView } from '@kith/contracts';
import { SERVICES, Stack, freePort, type ServiceName } from '@kith/embedded';
import { compiledIn, TEST_CLUSTER, placeMigratedCluster, removeFolder } from '@kith/testing';
import { Redis } from 'ioredis';
import pg from 'pg';

const ROOT = join(import.meta.dirname, '../..');

/** The whole suite as its users have it: six processes on real stores, and what a test needs to look inside. */
export interface Suite {
  /** A test that stops it puts another one of the same options in its place. */
  stack: Stack;
  directory: string;
  url: string;
  adminKey: string;
  /** Calls the API and gives the status with the parsed body. */
  api(path: string, options?: ApiOptions): Promise<{ status: number; body: never; headers: Headers }>;
  say(
    message: string,
    options?: { key?: string; conversation?: string; sentAt?: string; messageId?: string },
  ): Promise<TurnView>;
  /** The console's address that signs a browser in once, as the owner of the key. */
  signInLink(key?: string): Promise<string>;
  /** A key of a new person. */
  newPerson(name: string, scopes?: string[]): Promise<{ key: string; personId: string }>;
  /** SQL past every policy. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

interface ApiOptions {
  method?: string;
  key?: string | null;
  body?: unknown;
  rawBody?: string;
}

/** Token of the suite's /metrics. */
export const METRICS_TOKEN = 'metrics-of-a-test';

type Ports = { postgres: number; redis: number } & Record<ServiceName, number>;

/**
 * Starts a suite of its own on free ports, in a temporary folder.
 * @param settings for the services; or what makes them of the ports, to put something between the two
 * @param placement `apart` for a test that kills one service alone
 * @param processEnvironment for the services' processes, past their settings
 */
export async function startSuite(
  settings: Record<string, string> | ((ports: Ports) => Promise<Record<string, string>>) = {},
  {
    placement = 'apart',
    processEnvironment = {},
    onProgress,
  }: Partial<Pick<Stack['options'], 'placement' | 'processEnvironment' | 'onProgress'>> = {},
): Promise<Suite> {
  const directory = await mkdtemp(join(tmpdir(), 'kith-suite-'));
  const adminKey = formatApiKey(randomBytes(32));
  const ports = { postgres: await freePort(), redis: await freePort() } as Record<string, number>;
  for (const { name } of SERVICES) ports[name] = await freePort();
  const environment = typeof settings === 'function' ? await settings(ports as Ports) : settings;
  await placeMigratedCluster(join(directory, 'postgres'));
  const stack = await Stack.start({
    root: ROOT,
    directory,
    ports: ports as Ports,
    placement,
    secrets: { ...TEST_CLUSTER, redisPassword: 'redis', apiKey: adminKey },
    environment: {
      VECTOR_INDEX: 'exact',
      RATE_LIMIT_PER_MINUTE: '100000',
      LOG_LEVEL: 'info',
      // Tests wait for facts, and none of them for what a person goes on writing.
      FACTS_AFTER_MS: '500',
      METRICS_TOKEN,
      ...environment,
    },
    processEnvironment: { ...compiledIn(ROOT), ...processEnvironment },
    durable: false,
    ...(onProgress && { onProgress }),
  });
  const owner = new pg.Pool({ connectionString: stack.postgres.ownerUrl('kith'), max: 2 });
  owner.on('error', () => undefined);
  const { url } = stack;

  const api = async (path: string, options: ApiOptions = {}) => {
    const { key = adminKey, body, rawBody } = options;
    const text = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(`${url}${path}`, {
      method: options.method ?? (text === undefined ? 'GET' : 'POST'),
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(text === undefined ? {} : { body: text }),
    });
    const answer = await response.text();
    return {
      status: response.status,
      body: (answer ? JSON.parse(answer) : null) as never,
      headers: response.headers,
    };
  };

  const suite: Suite = {
    stack,
    directory,
    url,
    adminKey,
    api,
    say: async (message, { key = adminKey, ...rest } = {}) => {
      const { status, body } = await api('/v1/chat', { key, body: { message, ...rest } });
      if (status !== 200) throw new Error(`chat answered ${status}: ${JSON.stringify(body)}`);
      return body;
    },
    signInLink: async (key = adminKey) => {
      const { status, body } = await api('/v1/sign-in-codes', { key, body: {} });
      if (status !== 201) throw new Error(`sign-in-codes answered ${status}: ${JSON.stringify(body)}`);
      return `${url}/#code=${(body as { code: string }).code}`;
    },
    newPerson: async (name, scopes = ['chat', 'memories', 'outreach', 'import']) => {
      const { status, body } = await api('/v1/keys', { body: { name: 'test', person: name, scopes } });
      if (status !== 201) throw new Error(`keys answered ${status}: ${JSON.stringify(body)}`);
      return body;
    },
    query: async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
      (await owner.query<Row>(sql, values)).rows,
    stop: async () => {
      await owner.end();
      const refused = await refusedByRedis(suite.stack.redis.url);
      await suite.stack.stop();
      removeFolder(directory);
      if (refused.length > 0)
        throw new Error(`Redis refused services what they asked for: ${JSON.stringify(refused)}`);
    },
  };
  return suite;
}

/** Reads what Redis refused its users since it was started: a service may have gone on without it. */
async function refusedByRedis(url: string): Promise<unknown[]> {
  const redis = new Redis(url, { retryStrategy: () => null, lazyConnect: true });
  redis.on('error', () => undefined);
  try {
    // Where a test left Redis stopped there is nothing to read.
    return (await redis.call('ACL', 'LOG').catch(() => [])) as unknown[];
  } finally {
    redis.disconnect();
  }
}
