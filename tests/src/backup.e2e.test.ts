import { execFile, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MemorySearchResult } from '@kith/contracts';
import { freePort, Stack, startPostgres } from '@kith/embedded';
import { eventually } from '@kith/testing';
import pg from 'pg';
import type { z } from 'zod';
import { startSuite, type Suite } from './suite.js';

const ARCHIVE = join(import.meta.dirname, '../../libs/database/dist/backup-cli.js');
const QUERIES = ['which colour has the canoe?', 'who plays the violin?', 'where does my sister live?'];
const SAID = [
  'My canoe is painted green.',
  'My sister Ida plays the violin.',
  'Ida lives in Lyon, by the river.',
];

let suite: Suite;
let key: string;

beforeAll(async () => {
  suite = await startSuite({}, { placement: 'together' });
  ({ key } = await suite.newPerson('Kim'));
}, 120_000);
afterAll(() => suite.stop());

async function backUp(name: string): Promise<string> {
  const file = join(suite.stack.options.directory, name);
  const archive = spawn(process.execPath, [ARCHIVE, 'write'], {
    env: { ...process.env, DATABASE_OWNER_URL: suite.stack.postgres.ownerUrl('kith') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [[code]] = await Promise.all([
    once(archive, 'exit') as Promise<[number]>,
    pipeline(archive.stdout, createWriteStream(file)),
  ]);
  expect(code).toBe(0);
  return file;
}

/** Puts a backup in the place of what the suite holds, as `scripts/restore` does: it starts again whatever comes of it. */
async function restore(file: string): Promise<void> {
  const { stack } = suite;
  await stack.stop();
  try {
    await Stack.restoreStopped(stack.options, file);
  } finally {
    suite.stack = await Stack.start(stack.options);
  }
}

/** Rows of every table that a backup holds. */
async function counts(): Promise<Record<string, number>> {
  const tables = await suite.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'
     AND table_name NOT IN ('_prisma_migrations', 'memory_vectors', 'memory_vector_versions', 'memory_tallies',
       'memory_tally_changes', 'discord_leaders')
     ORDER BY 1`,
  );
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await suite.query<{ n: number }>(`SELECT count(*)::int AS n FROM "${name}"`);
      return [name, row!.n] as const;
    }),
  );
  return Object.fromEntries(rows);
}

/** Recalled memories in their order with their reasons, apart from how fresh they are. */
async function recalls() {
  const found: unknown[] = [];
  for (const query of QUERIES) {
    const { body } = await suite.api(`/v1/memories/search?q=${encodeURIComponent(query)}`, { key });
    const { memories, degraded } = body as z.output<typeof MemorySearchResult>;
    found.push({
      query,
      degraded,
      memories: memories.map(({ id, text, why }) => ({ id, text, fused: why.fused })),
    });
  }
  return found;
}

async function untilSettled(): Promise<void> {
  await eventually(
    'everything to be handled and indexed',
    async () => {
      const [open] = await suite.query<{ n: number }>(
        `SELECT (SELECT count(*) FROM memories WHERE indexed_in IS NULL AND shelf = 'open')::int
              + (SELECT count(*) FROM turns t WHERE NOT EXISTS (SELECT 1 FROM memory_handled_turns WHERE turn_id = t.turn_id)
                  OR NOT EXISTS (SELECT 1 FROM personality_handled_turns WHERE turn_id = t.turn_id)
                  OR NOT EXISTS (SELECT 1 FROM outreach_handled_turns WHERE turn_id = t.turn_id))::int AS n`,
      );
      return open!.n === 0;
    },
    90_000,
  );
}

describe('a backup', () => {
  it('is written while people talk, and costs them nothing', async () => {
    for (const message of SAID) await suite.say(message, { key });
    const talk = Promise.all(
      Array.from({ length: 12 }, (_, n) => suite.say(`Remark ${n}`, { key, conversation: `c${n % 3}` })),
    );
    await backUp('live.gz');
    for (const turn of await talk) expect(turn.outcome).toBe('answered');
  });

  it('is not put back under running services, and nothing changes', async () => {
    const file = join(suite.stack.options.directory, 'live.gz');
    const cli = promisify(execFile)('sh', ['-c', `"${process.execPath}" "${ARCHIVE}" read < "${file}"`], {
      env: { ...process.env, DATABASE_OWNER_URL: suite.stack.postgres.ownerUrl('kith') },
    });
    await expect(cli).rejects.toMatchObject({ stderr: expect.stringContaining('services are connected') });
    expect((await suite.say('Still there?', { key })).outcome).toBe('answered');
  });

  it('brings back every row and every recall, and the suite goes on from there', async () => {
    await untilSettled();
    const file = await backUp('settled.gz');
    const before = { counts: await counts(), recalls: await recalls() };
    const feelings = () => suite.query('SELECT * FROM moods, relationships');
    const felt = await feelings();

    // Another world: memories are lost, other things are said, a key is made.
    await suite.query('DELETE FROM memories');
    const later = await suite.newPerson('Lou');
    await suite.say('You idiot, I hate everything.', { key: later.key });
    expect(await recalls()).not.toEqual(before.recalls);

    await restore(file);
    // The log of what operators did is kept over a restore, with what was done since the backup.
    const { operator_actions: actions, ...restored } = await counts();
    const { operator_actions: actionsBefore, ...kept } = before.counts;
    expect(restored).toEqual(kept);
    expect(actions).toBeGreaterThan(actionsBefore!);
    await untilSettled();
    expect(await recalls()).toEqual(before.recalls);
    expect((await suite.api('/v1/me', { key: later.key })).status).toBe(401);
    expect(await feelings()).toEqual(felt);

    const turn = await suite.say('Which colour has my canoe?', { key });
    expect(turn).toMatchObject({ outcome: 'answered', degraded: [] });
    expect(turn.recalled.map(({ text }) => text)).toContain(SAID[0]);
  }, 240_000);

  it('brings nothing back for long that was forgotten since', async () => {
    const { key: ida } = await suite.newPerson('Ida');
    await suite.say('My knee hurts when it rains.', { key: ida });
    await suite.say('I have two cats.', { key: ida });
    await untilSettled();
    const file = await backUp('before-forgetting.gz');
    const texts = async () => {
      const { body } = await suite.api('/v1/memories', { key: ida });
      return JSON.stringify(body);
    };
    expect(await texts()).toContain('knee');
    const { status } = await suite.api('/v1/memories/forget', {
      key: ida,
      body: { query: 'my knee', companion: 'mira' },
    });
    expect(status).toBe(200);
    expect(await texts()).not.toContain('knee');
    await restore(file);
    await eventually(
      'what was forgotten to be forgotten again',
      async () => {
        const [open] = await suite.query<{ n: number }>(
          'SELECT count(*)::int AS n FROM forget_orders WHERE finished_at IS NULL',
        );
        return open!.n === 0;
      },
      60_000,
    );
    expect(await texts()).not.toContain('knee');
    expect(await texts()).toContain('two cats');
    expect(await suite.query(`SELECT 1 FROM transcript WHERE text LIKE '%knee%'`)).toEqual([]);
  }, 120_000);

  it('fills a new machine before any service starts there', async () => {
    const { root, directory: here, secrets, ports } = suite.stack.options;
    const directory = await mkdtemp(join(tmpdir(), 'kith-restored-'));
    const port = await freePort();
    const there = { ...ports, postgres: port, redis: await freePort() };
    await Stack.restoreStopped(
      { root, directory, ports: there, secrets, durable: false },
      join(here, 'settled.gz'),
    );
    expect((await readdir(directory)).toSorted()).toEqual(['logs', 'postgres', 'processes', 'redis']);
    expect(await readdir(join(directory, 'logs'))).toEqual([]);
    const postgres = await startPostgres({
      directory: join(directory, 'postgres'),
      port,
      password: secrets.ownerPassword,
      durable: false,
    });
    const client = new pg.Client({ connectionString: postgres.ownerUrl('kith') });
    await client.connect();
    const { rows } = await client.query(`SELECT text FROM transcript WHERE text = ANY ($1)`, [SAID]);
    await client.end();
    await postgres.stop();
    await rm(directory, { recursive: true });
    expect(rows).toHaveLength(SAID.length);
  }, 120_000);

  it('that is damaged is refused, and everything is as it was', async () => {
    await untilSettled();
    const before = await counts();
    const file = join(suite.stack.options.directory, 'damaged.gz');
    await writeFile(file, 'nonsense');
    await expect(restore(file)).rejects.toThrow('not a Kith backup');
    expect(await counts()).toEqual(before);
    expect((await suite.say('Anyone here?', { key })).outcome).toBe('answered');
  }, 120_000);
});
