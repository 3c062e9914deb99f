import { appendFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Redis } from 'ioredis';
import { freePort, isPortTaken } from '../processes/free-port.js';
import { startPostgres, type RunningPostgres } from './start-postgres.js';
import { findPostmaster } from '../processes/process-records.js';
import type { RunningRedis } from './start-redis.js';
import { startStores } from './start-stores.js';

let directory: string;
let ports: { postgres: number; redis: number };
let postgres: RunningPostgres;
let redis: RunningRedis;
const told: string[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kith-stores-'));
  ports = { postgres: await freePort(), redis: await freePort() };
  [postgres, redis] = await startStores({
    directory,
    ports: ports as never,
    secrets: { ownerPassword: 'owner', appPassword: 'app', redisPassword: 'secret', apiKey: 'key' },
    durable: false,
    onProgress: (line) => told.push(line),
  });
}, 60_000);
afterAll(async () => {
  await Promise.all([postgres.stop(), redis.stop()]);
  await rm(directory, { recursive: true, force: true });
});

const postmaster = async () => findPostmaster(join(directory, 'postgres'))?.pid ?? null;
const redisServer = async () => {
  const connection = new Redis(redis.url, { lazyConnect: true, retryStrategy: null });
  connection.on('error', () => undefined);
  try {
    await connection.connect();
    return Number(/process_id:(\d+)/.exec(await connection.info('server'))![1]);
  } catch {
    return null;
  } finally {
    connection.disconnect();
  }
};

async function another(find: () => Promise<number | null>, before: number): Promise<number> {
  for (;;) {
    const pid = await find();
    if (pid !== null && pid !== before) return pid;
    await sleep(50);
  }
}

it.each([
  ['Redis', redisServer, () => redis, () => ports.redis],
  ['PostgreSQL', postmaster, () => postgres, () => ports.postgres],
] as const)(
  '%s is started again whenever it dies, and never when it was stopped',
  async (name, find, store, port) => {
    told.length = 0;
    const first = (await find())!;
    process.kill(first, 'SIGKILL');
    const second = await another(find, first);
    await store().start(); // It was told of before it was ready.
    process.kill(second, 'SIGKILL');
    await another(find, second);
    await store().start();
    expect(told).toEqual(Array(2).fill(`${name} is started again: it ended with SIGKILL`));
    await store().stop();
    await sleep(1_500);
    expect(await isPortTaken(port())).toBe(false);
    await store().start();
    await store().start();
    expect(await isPortTaken(port())).toBe(true);
    expect(told).toHaveLength(2);
  },
  60_000,
);

it('stays down after a crash on purpose, until it is started', async () => {
  await postgres.crash();
  await sleep(1_500);
  expect(await isPortTaken(ports.postgres)).toBe(false);
  await postgres.start();
  expect(await isPortTaken(ports.postgres)).toBe(true);
}, 60_000);

it('makes no new cluster where the one that is there cannot be told', async () => {
  const cluster = join(directory, 'postgres');
  const [version, kept] = [join(cluster, 'PG_VERSION'), join(directory, 'PG_VERSION')];
  await postgres.stop();
  await rename(version, kept);
  const before = await readdir(cluster);
  const options = { directory: cluster, port: ports.postgres, password: 'owner', durable: false };
  await expect(startPostgres(options)).rejects.toThrow(/lacks its file PG_VERSION: mend it, or move it away/);
  expect(await readdir(cluster)).toEqual(before);
  await rename(kept, version);
  await postgres.start();
}, 60_000);

/** Has a repair of this cluster tell often how far it is: it looks at each file first, in less than 1 ms on a fast disk. */
async function tellRepairs(cluster: string): Promise<void> {
  await appendFile(join(cluster, 'postgresql.conf'), 'log_startup_progress_interval = 1ms\n');
  const many = join(cluster, 'many');
  await mkdir(many);
  for (let n = 0; n < 4_000; n += 1) await writeFile(join(many, `${n}`), '');
}

it('is left to repair what a crash left for as long as it says how far it is', async () => {
  const cluster = join(directory, 'repaired');
  const progress: string[] = [];
  const server = await startPostgres({
    // A durable one looks at each of its files before it repairs.
    directory: cluster,
    port: await freePort(),
    password: 'owner',
    durable: true,
    onRepair: (line) => {
      progress.push(line);
      jest.advanceTimersByTime(100_000);
    },
  });
  await server.crash();
  await tellRepairs(cluster);
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance', 'Date'] });
  try {
    await server.start();
  } finally {
    jest.useRealTimers();
    await server.stop();
  }
  expect(progress.length).toBeGreaterThan(2);
  expect(progress[0]).toMatch(/elapsed time: 0\.\d+ s$/);
}, 60_000);

it('is stopped in the middle of a repair, when its start is called off or it is to stop', async () => {
  const cluster = join(directory, 'interrupted');
  const calledOff = new AbortController();
  const idle = (): void => undefined;
  let onRepair = idle;
  const options = {
    directory: cluster,
    port: await freePort(),
    password: 'owner',
    durable: true,
    onRepair: () => onRepair(),
  };
  const server = await startPostgres(options);
  await tellRepairs(cluster);
  await server.crash();

  onRepair = () => void server.stop();
  await expect(server.start()).rejects.toThrow(/^PostgreSQL could not be started: .*shut down/);
  expect(findPostmaster(cluster)).toBeNull();

  onRepair = idle;
  await server.start();
  await server.crash();
  onRepair = () => calledOff.abort();
  const called = startPostgres({ ...options, signal: calledOff.signal });
  await expect(called).rejects.toThrow(/^PostgreSQL could not be started: .*shut down/);
  expect(findPostmaster(cluster)).toBeNull();
}, 60_000);
