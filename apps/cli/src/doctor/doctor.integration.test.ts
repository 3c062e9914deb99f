import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { QdrantDouble, freshStores, type FreshStores } from '@kith/testing';
import { lackOfRoom, readInfo } from '@kith/messaging';
import type { CliConfig } from '../suite/config.js';
import { runCli } from '../e2e/scripted-api.js';
import { checkEnvFile, checkNode, diskFinding } from './machine-checks.js';
import { checkMigrations, checkPostgres, checkQdrant, checkRedis, judgeRedis } from './store-checks.js';
import { modelsFinding, serviceFinding } from './check-suite.js';

// A port that nothing listens on, and that fetch does not refuse to try.
const NOBODY = '127.0.0.1:49';
let stores: FreshStores;
beforeAll(async () => void (stores = await freshStores()), 60_000);
afterAll(() => stores.stop());

function config(settings: Record<string, string | undefined>): CliConfig {
  return {
    projectRoot: new URL('../../../..', import.meta.url).pathname,
    envFile: '/kith/.env',
    hasEnvFile: false,
    isEmbedded: false,
    url: `http://${NOBODY}`,
    key: undefined,
    setting: (variable) => settings[variable],
  };
}

describe('the stores, when all is well', () => {
  it('finds Redis durable, Postgres held by its policies, and every migration applied', async () => {
    const all = config({
      REDIS_URL: stores.redisUrl,
      DATABASE_URL: stores.databaseUrl,
      DATABASE_OWNER_URL: stores.ownerUrl,
    });
    expect(await checkRedis(all)).toMatchObject({
      state: 'ok',
      detail: expect.stringContaining('noeviction'),
    });
    expect(await checkPostgres(all)).toMatchObject({
      state: 'ok',
      detail: expect.stringContaining('kith_app'),
    });
    expect(await checkMigrations(all)).toMatchObject({ state: 'ok' });
  });
});

describe('the stores, when something is wrong', () => {
  it('says so when the services would connect as a superuser', async () => {
    expect(await checkPostgres(config({ DATABASE_URL: stores.ownerUrl }))).toMatchObject({
      state: 'broken',
      mend: expect.stringContaining('NOSUPERUSER'),
    });
  });

  it.each([
    ["migration_name = '9_later', finished_at = now()", { detail: expect.stringContaining('newer version') }],
    ["migration_name = '9_later', finished_at = NULL", { mend: expect.stringContaining('says why') }],
  ])('names a migration with %s', async (changes, finding) => {
    await stores.query(`CREATE TABLE kept_aside AS SELECT * FROM _prisma_migrations`);
    await stores.query(
      `UPDATE _prisma_migrations SET ${changes} WHERE migration_name = (SELECT min(migration_name) FROM _prisma_migrations)`,
    );
    expect(await checkMigrations(config({ DATABASE_OWNER_URL: stores.ownerUrl }))).toMatchObject({
      state: 'broken',
      ...finding,
    });
    await stores.query('DELETE FROM _prisma_migrations');
    await stores.query('INSERT INTO _prisma_migrations SELECT * FROM kept_aside');
    await stores.query('DROP TABLE kept_aside');
  });

  it('names migrations that are missing', async () => {
    const [last] = await stores.query<{ id: string; migration_name: string }>(
      'DELETE FROM _prisma_migrations WHERE id = (SELECT id FROM _prisma_migrations ORDER BY migration_name DESC LIMIT 1) RETURNING id, migration_name',
    );
    expect(await checkMigrations(config({ DATABASE_OWNER_URL: stores.ownerUrl }))).toMatchObject({
      state: 'broken',
      detail: `missing ${last!.migration_name}`,
      // A suite that runs is left as it is by ./scripts/up alone.
      mend: expect.stringContaining('./scripts/down'),
    });
  });

  it.each([
    ['Redis', checkRedis, { REDIS_URL: `redis://${NOBODY}` }],
    ['Postgres', checkPostgres, { DATABASE_URL: `postgres://a:b@${NOBODY}/kith` }],
    ['Qdrant', checkQdrant, { QDRANT_URL: `http://${NOBODY}` }],
  ])('%s out of reach comes with a way to mend it', async (name, check, settings) => {
    expect(await check(config(settings))).toMatchObject({
      name,
      state: 'broken',
      detail: expect.stringContaining('ECONNREFUSED'),
      mend: expect.stringContaining('start it'),
    });
  });

  it.each([
    [{ version: '7.0.15', persists: false, policy: 'noeviction' }, 'appendonly yes'],
    [{ version: '7.0.15', persists: true, policy: 'allkeys-lru' }, 'maxmemory-policy noeviction'],
  ])('does not trust work to a Redis such as %j', (redis, mend) => {
    const finding = judgeRedis({ ...redis, lack: null });
    expect(finding).toMatchObject({ state: 'broken', mend: `in redis.conf: ${mend}` });
  });

  it.each([
    ['aof_last_write_status:err', 'free room on its disk'],
    ['maxmemory:99\r\nmaxmemory_policy:noeviction\r\nused_memory:100', 'raise its maxmemory'],
  ])('tells of a Redis that takes no more: %j', (info, mend) => {
    const redis = { version: '7.0.15', persists: true, policy: 'noeviction' };
    expect(judgeRedis({ ...redis, lack: lackOfRoom(readInfo(info)) })).toMatchObject({
      state: 'broken',
      detail: expect.stringContaining('takes no writes'),
      mend: expect.stringContaining(mend),
    });
  });

  it.each([
    ['1.18.2', 'the-key', { state: 'ok', detail: expect.stringContaining('version 1.18.2') }],
    ['1.9.4', 'the-key', { state: 'broken', mend: expect.stringContaining('update it to 1.11.0 or later') }],
    ['1.18.2', 'another', { state: 'broken', mend: 'check QDRANT_API_KEY' }],
  ])('judges a Qdrant of version %s, asked with %s', async (version, key, finding) => {
    const qdrant = await QdrantDouble.start({ apiKey: 'the-key', version });
    try {
      const settings = { QDRANT_URL: qdrant.url, QDRANT_API_KEY: key };
      expect(await checkQdrant(config(settings))).toMatchObject(finding);
    } finally {
      await qdrant.stop();
    }
  });

  it('asks a Qdrant at its own port where the address names none, as memory does', async () => {
    const fetched = jest.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('not now'));
    await checkQdrant(config({ QDRANT_URL: 'http://10.0.0.5' }));
    expect(fetched.mock.calls.map(([address]) => (address as URL).href)).toEqual([
      'http://10.0.0.5:6333/',
      'http://10.0.0.5:6333/collections',
    ]);
    fetched.mockRestore();
  });

  it('asks no Qdrant where the settings do without', async () => {
    const settings = { QDRANT_URL: `http://${NOBODY}`, VECTOR_INDEX: 'exact' };
    expect(await checkQdrant(config(settings))).toMatchObject({ state: 'off' });
  });

  it('does not call broken what it has no way to see', async () => {
    const nothing = config({});
    for (const check of [checkRedis, checkPostgres, checkMigrations, checkQdrant]) {
      expect(await check(nothing)).toMatchObject({ state: 'off' });
    }
    expect(await checkRedis(config({ REDIS_URL: 'redis://kith-redis.invalid:6379' }))).toMatchObject({
      state: 'off',
    });
  });
});

describe('the rest', () => {
  it('asks for a Node that is new enough', () => {
    const linux = (version: string) => checkNode({ version, platform: 'linux', arch: 'x64' });
    expect([linux('v20.19.0'), linux('v24.21.0')].map(({ state }) => state)).toEqual(['ok', 'ok']);
    expect(linux('v20.18.3')).toMatchObject({ state: 'broken', mend: expect.stringContaining('20.19') });
  });

  it.each([
    ['macOS', 'darwin', 'arm64'],
    ['Linux on ARM', 'linux', 'arm64'],
  ] as const)('asks for Node 24.9 on %s, where no other comes with npm', (_, platform, arch) => {
    expect(checkNode({ version: 'v24.9.0', platform, arch }).state).toBe('ok');
    expect(checkNode({ version: 'v24.8.0', platform, arch })).toMatchObject({
      state: 'broken',
      mend: 'install Node 24.9 or later, which runs the suite here',
    });
  });

  it('goes by the fullest of the disks, and names its folder', () => {
    const gb = 1_000_000_000;
    const disks = [
      { folder: '/kith', freeBytes: 60 * gb },
      { folder: '/kith/.kith', freeBytes: 0.2 * gb },
    ];
    expect(diskFinding(disks)).toMatchObject({ state: 'broken', detail: '0.2 GB free in /kith/.kith' });
    expect(diskFinding(disks.slice(0, 1))).toMatchObject({ state: 'ok', detail: '60.0 GB free in /kith' });
  });

  it('says how settings come about', () => {
    const projectRoot = mkdtempSync(join(tmpdir(), 'kith-doctor-'));
    const lacking = () => checkEnvFile({ ...config({}), projectRoot }).mend;
    expect(lacking()).toContain('./scripts/up');
    // One that up would make does not open what a suite left there.
    mkdirSync(join(projectRoot, '.kith'));
    writeFileSync(join(projectRoot, '.kith/runs-in'), 'embedded\n');
    expect(lacking()).toMatch(/^put back/);
    rmSync(projectRoot, { recursive: true });
    expect(checkEnvFile({ ...config({}), key: 'kth_x' }).state).toBe('off');
  });

  it('names the dependency a service lacks, and how to mend that one', () => {
    const down = { up: false, problem: 'not connected', tookMs: 1 };
    const up = { up: true, problem: null, tookMs: 1 };
    expect(
      serviceFinding({
        service: 'memory',
        ready: false,
        degraded: [],
        dependencies: { postgres: up, index: down },
      }),
    ).toEqual({
      name: 'memory',
      state: 'broken',
      detail: 'index: not connected',
      mend: expect.stringContaining('QDRANT_URL'),
    });
    expect(
      serviceFinding({ service: 'memory', ready: false, degraded: [], dependencies: { process: down } }).mend,
    ).toContain('./scripts/logs memory');
  });

  it('tells of a service that goes on what it does without, and how to mend that', () => {
    const degraded = [
      { part: 'spend', effect: 'replies are short apologies', since: '2026-01-01T10:00:00Z' },
    ];
    expect(serviceFinding({ service: 'gateway', ready: true, degraded, dependencies: {} })).toEqual({
      name: 'gateway',
      state: 'broken',
      detail: 'replies are short apologies (since 2026-01-01T10:00:00Z)',
      mend: expect.stringContaining('DAILY_TOKENS'),
    });
  });
});

describe('the models', () => {
  const health = { status: 'ok' as const, services: [] };
  it('are what the suite says, however they were set', () => {
    const set = { chat: ['compatible:llama3'], fast: [], rehearsal: false, notes: [] };
    expect(modelsFinding({ ...health, models: set })).toMatchObject({
      state: 'ok',
      detail: 'compatible:llama3',
    });
    const none = { chat: ['rehearsal'], fast: [], rehearsal: true, notes: [] };
    expect(modelsFinding({ ...health, models: none })).toMatchObject({
      state: 'off',
      mend: expect.stringContaining('into .env'),
    });
  });
});

describe('kith doctor', () => {
  it('shows every line with its mark and ends with code 1 when the suite is down', async () => {
    const { exit, texts } = runCli(['doctor'], {
      url: `http://${NOBODY}`,
      settings: { REDIS_URL: stores.redisUrl },
    });
    expect(await exit).toBe(1);
    expect(texts.out).toMatch(/^✓ {2}Redis/m);
    expect(texts.out).toMatch(/^✗ {2}Kith .*nothing answers/m);
    expect(texts.out).toMatch(/^– {2}Discord {5}off$/m);
    expect(texts.out).toContain('     → ./scripts/up starts the suite');
    expect(texts.out).toContain('1 to mend');
  });

  it('leaves out what is well when asked to be short', async () => {
    const settings = { REDIS_URL: stores.redisUrl };
    const { exit, texts } = runCli(['doctor', '--short'], { url: `http://${NOBODY}`, settings });
    expect(await exit).toBe(1);
    expect(texts.out).not.toContain('✓');
    expect(texts.out).toMatch(/^✗ {2}Kith .*nothing answers/m);
    const asJson = runCli(['doctor', '--short', '--json'], { url: `http://${NOBODY}`, settings });
    expect(await asJson.exit).toBe(1);
    const findings = JSON.parse(asJson.texts.out) as { name: string; state: string }[];
    expect(findings).toContainEqual(expect.objectContaining({ name: 'Kith', state: 'broken' }));
    expect(findings.filter(({ state }) => state === 'ok')).toEqual([]);
  });
});
