import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '@kith/database';
import { freePort, startPostgres, startRedis, type RunningRedis } from '@kith/embedded';
import pg from 'pg';
import { TEST_CLUSTER, placeMigratedCluster, removeFolder } from './migrated-cluster.js';

/** A migrated, empty database and a Redis of its own, real ones, for one test file. */
export interface FreshStores {
  /** Connection string of the application role, held by row-level security. */
  databaseUrl: string;
  /** Connection string of the owner: for looking at what a test did, past every policy. */
  ownerUrl: string;
  redisUrl: string;
  redis: RunningRedis;
  /** Runs SQL as the owner. */
  query<Row extends pg.QueryResultRow = Record<string, unknown>>(
    sql: string,
    values?: unknown[],
  ): Promise<Row[]>;
  stop(): Promise<void>;
}

/** Starts both stores on free ports in a temporary folder, in under a second. Stop them in `afterAll`. */
export async function freshStores(): Promise<FreshStores> {
  const directory = await mkdtemp(join(tmpdir(), 'kith-test-'));
  const { database, ownerPassword, appRole, appPassword } = TEST_CLUSTER;
  const cluster = join(directory, 'postgres');
  await placeMigratedCluster(cluster);
  const [postgres, redis] = await Promise.all([
    freePort().then((port) =>
      startPostgres({ directory: cluster, port, password: ownerPassword, durable: false }),
    ),
    freePort().then((port) =>
      startRedis({ directory: join(directory, 'redis'), port, password: randomUUID() }),
    ),
  ]);
  const ownerUrl = postgres.ownerUrl(database);
  const app = new URL(ownerUrl);
  app.username = appRole;
  app.password = appPassword;
  const owner = new pg.Pool({ connectionString: ownerUrl, max: 2 });
  owner.on('error', () => undefined); // tests stop and start Postgres; the next query reconnects
  return {
    databaseUrl: app.href,
    ownerUrl,
    redisUrl: redis.url,
    redis,
    query: async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
      (await owner.query<Row>(sql, values)).rows,
    stop: async () => {
      await owner.end();
      await Promise.all([postgres.stop(), redis.stop('SIGKILL')]);
      removeFolder(directory);
    },
  };
}

/** Fresh stores with a database of the application role, for one test file. */
export interface FreshDatabase {
  stores: FreshStores;
  database: Database;
  stop: () => Promise<void>;
}

/** Starts fresh stores and connects to them. Stop them in `afterAll`. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const stores = await freshStores();
  const database = new Database({ url: stores.databaseUrl, poolSize: 5 });
  return {
    stores,
    database,
    stop: async () => {
      await database.close();
      await stores.stop();
    },
  };
}
