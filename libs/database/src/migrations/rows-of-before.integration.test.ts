import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startPostgres, type RunningPostgres } from '@kith/embedded';
import pg from 'pg';
import { deployMigrations } from './deploy-migrations.js';
import { readMigrations } from './read-migrations.js';

const REAL = join(import.meta.dirname, '../../../../prisma/migrations');
const FIRST = '20261126191000_privacy_in_line';
const ANN = '00000000-0000-4000-8000-000000000001';

let directory: string;
let postgres: RunningPostgres;
let client: pg.Client;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kith-rows-'));
  postgres = await startPostgres({
    directory: join(directory, 'postgres'),
    port: await freePort(),
    password: randomUUID(),
    durable: false,
  });
  const earlier = await mkdtemp(join(directory, 'earlier-'));
  for (const { name } of await readMigrations(REAL))
    if (name < FIRST) await cp(join(REAL, name), join(earlier, name), { recursive: true });
  await deployMigrations(postgres.ownerUrl('kith_rows'), earlier);
  client = new pg.Client({ connectionString: postgres.ownerUrl('kith_rows') });
  await client.connect();
  // Whoever owns the tables is no superuser everywhere: row-level security holds for them too.
  await client.query(`
    CREATE ROLE migrator; GRANT USAGE, CREATE ON SCHEMA public TO migrator;
    ALTER TABLE people OWNER TO migrator; ALTER TABLE memories OWNER TO migrator;`);
}, 60_000);

afterAll(async () => {
  await client.end();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
});

async function migrateAsOwner(migration: string): Promise<void> {
  const { sql } = (await readMigrations(REAL)).find(({ name }) => name === migration)!;
  await client.query(`BEGIN; SET LOCAL ROLE migrator; ${sql}; COMMIT`);
}

it('those who talk in private are compared once', async () => {
  await client.query(`
    INSERT INTO people (person_id, display_name, private_from, private_until) VALUES
      ('${ANN}', 'Ann', now(), NULL), (gen_random_uuid(), 'Bo', now(), now()), (gen_random_uuid(), 'Cy', NULL, NULL)`);
  await migrateAsOwner(FIRST);
  const asked = await client.query('SELECT display_name FROM people WHERE privacy_asked_at IS NOT NULL');
  expect(asked.rows).toEqual([{ display_name: 'Ann' }]);
});

it('companions’ notes are theirs, and lines that somebody brought along are not', async () => {
  const lines = [
    ['said here', 'person', 'Annie', 'c1', ['m1']],
    ['noted', 'import', 'Wren', null, ['m1', 'm2']],
    ['brought along, of a name of theirs', 'import', 'Annie', null, ['m3']],
    ['brought along, of the name they have now', 'import', 'Ann', null, ['m4']],
    ['brought along from a talk', 'import', 'Wren', 'c0', ['m5']],
    ['brought along without a name', 'import', null, null, ['m6']],
  ];
  for (const values of lines)
    await client.query(
      `INSERT INTO memories (id, person_id, companion_id, kind, audience, importance, said_at, content_hash, text, writer,
         speaker, conversation, sources)
       VALUES (gen_random_uuid(), $1, 'wren', 'episode', 'direct', 5, now(), $2, $2, $3, $4, $5, $6)`,
      [ANN, ...values],
    );
  await migrateAsOwner('20261126210000_notes_told_apart');
  const notes = await client.query("SELECT text FROM memories WHERE writer = 'companion'");
  expect(notes.rows).toEqual([{ text: 'noted' }]);
});
