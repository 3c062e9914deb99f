import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startPostgres, type RunningPostgres } from '@kith/embedded';
import pg from 'pg';
import { deployMigrations, resolveMigration } from './deploy-migrations.js';
import { ensureAppRole } from './ensure-app-role.js';
import { readMigrations } from './read-migrations.js';
import { databaseLines } from './testing-database-lines.js';
import { schemaLines } from './testing-schema-lines.js';

const PRISMA = join(import.meta.dirname, '../../../../prisma');
const REAL = join(PRISMA, 'migrations');

/** Table and rows as Prisma's own engine wrote them, of the first two migrations. */
const BY_PRISMA = `
  CREATE TABLE "_prisma_migrations" (
    "id"                    VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum"              VARCHAR(64) NOT NULL,
    "finished_at"           TIMESTAMPTZ,
    "migration_name"        VARCHAR(255) NOT NULL,
    "logs"                  TEXT,
    "rolled_back_at"        TIMESTAMPTZ,
    "started_at"            TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count"   INTEGER NOT NULL DEFAULT 0
  );
  INSERT INTO _prisma_migrations VALUES
    ('76382c5c-fa9c-48c4-bc34-981049eeafde', '729033feb87f7eb65d36d8ace1600e4143b3d15e536e01ca26647c43abaecb7b',
     '2026-11-22 23:14:31.949+00', '20261121013129_first_tables', NULL, NULL, '2026-11-22 23:14:31.773+00', 1),
    ('9b9f6eb4-0251-41c7-a4a7-a3d5e84b58ef', 'cdebe75c5f525eac141e4aa460c18b5bddd715d486f92e7b351aef3e709ae7fe',
     '2026-11-22 23:14:31.983+00', '20261121013131_row_level_security', NULL, NULL, '2026-11-22 23:14:31.954+00', 1);`;

let directory: string;
let postgres: RunningPostgres;
const clients: pg.Client[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kith-migrations-'));
  postgres = await startPostgres({
    directory: join(directory, 'postgres'),
    port: await freePort(),
    password: randomUUID(),
    durable: false,
  });
}, 60_000);

afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  clients.push(client);
  return client;
}

/** A database of its own with the migrations of a test, which may be written again. */
async function place(files: Record<string, string>) {
  const name = `kith_${randomUUID().slice(0, 8)}`;
  const url = postgres.ownerUrl(name);
  const write = async (changes: Record<string, string>) => {
    for (const [migration, sql] of Object.entries(changes)) {
      await mkdir(join(directory, name, migration), { recursive: true });
      await writeFile(join(directory, name, migration, 'migration.sql'), sql);
    }
  };
  await write(files);
  const deploy = () => deployMigrations(url, join(directory, name));
  return { url, write, deploy };
}

const attempts = async (client: pg.Client) =>
  (
    await client.query<Record<string, unknown>>(
      `SELECT migration_name AS name, applied_steps_count AS steps, logs, finished_at >= started_at AS finished,
              rolled_back_at IS NOT NULL AS undone, length(checksum) AS checksum
       FROM _prisma_migrations ORDER BY started_at`,
    )
  ).rows;
const DONE = { steps: 1, logs: null, finished: true, undone: false, checksum: 64 };

describe('a database that Prisma’s own engine migrated', () => {
  let client: pg.Client;

  it('is brought up to date from where it was', async () => {
    const url = postgres.ownerUrl('kith_upgrade');
    const [first, second, ...later] = await readMigrations(REAL);
    // The runner makes a database that is not there; here it is made by applying none.
    await deployMigrations(url, await mkdtemp(join(directory, 'none-')));
    client = await connect(url);
    const made = await columnsOf(client);
    await client.query(`DROP TABLE _prisma_migrations; ${BY_PRISMA} ${first!.sql}; ${second!.sql}`);
    expect(made).toEqual(await columnsOf(client));
    expect(await deployMigrations(url, REAL)).toEqual(later.map(({ name }) => name));
    expect(await deployMigrations(url, REAL)).toEqual([]);
    const rows = await attempts(client);
    expect(rows).toEqual([first!, second!, ...later].map(({ name }) => ({ name, ...DONE })));
  }, 60_000);

  it('then is what the schema says', async () => {
    expect(await databaseLines(client)).toEqual(await schemaLines(join(PRISMA, 'schema')));
  });

  it.each([
    ['a column', 'ALTER TABLE people ADD COLUMN shoe_size integer', /people.shoe_size integer/],
    ['a type', 'ALTER TABLE people ALTER COLUMN display_name TYPE varchar(80)', /character varying\(80\)/],
    [
      'a default',
      'ALTER TABLE people ALTER COLUMN created_at DROP DEFAULT',
      /people.created_at .* not null$/,
    ],
    ['a null', 'ALTER TABLE people ALTER COLUMN display_name DROP NOT NULL', /people.display_name text$/],
    ['a table', 'CREATE TABLE shoes (id integer PRIMARY KEY)', /shoes primary key \(id\)/],
    ['an index', 'CREATE INDEX shoes_idx ON people (created_at DESC)', /shoes_idx \(created_at desc\)/],
    [
      'a reference',
      'ALTER TABLE discord_cursors ADD FOREIGN KEY (person_id) REFERENCES people (person_id)',
      /discord_cursors \(person_id\) references people \(person_id\) on delete noaction/,
    ],
  ])('is seen to differ by %s', async (_, change, line) => {
    const before = new Set(await databaseLines(client));
    await client.query(`BEGIN; ${change}`);
    const added = (await databaseLines(client)).filter((one) => !before.has(one));
    await client.query('ROLLBACK');
    expect(added).toEqual(expect.arrayContaining([expect.stringMatching(line)]));
  });
});

describe('several runners at once', () => {
  it('apply each migration once, also one that builds an index beside what runs', async () => {
    const { url, deploy } = await place({
      '1_people': 'CREATE TABLE people (id integer); INSERT INTO people SELECT generate_series(1, 1000);',
      '2_index': '-- kith:outside-a-transaction\nCREATE INDEX CONCURRENTLY people_idx ON people (id);',
      '3_last': 'DO $$ BEGIN PERFORM 1; END $$; INSERT INTO people VALUES (0);',
    });
    const applied = await Promise.all(Array.from({ length: 6 }, deploy));
    expect(applied.flat().sort()).toEqual(['1_people', '2_index', '3_last']);
    const client = await connect(url);
    expect(await attempts(client)).toEqual(
      ['1_people', '2_index', '3_last'].map((name) => ({ name, ...DONE })),
    );
    expect((await client.query('SELECT 1 FROM people')).rowCount).toBe(1_001);
  });
});

describe('a migration', () => {
  it('changes every row also where the owner of the tables is no superuser', async () => {
    const { url, deploy } = await place({
      '1_people': `
        CREATE TABLE people (name text);
        INSERT INTO people VALUES ('Ann');
        ALTER TABLE people ENABLE ROW LEVEL SECURITY;
        ALTER TABLE people FORCE ROW LEVEL SECURITY;
        CREATE POLICY own_rows ON people USING (current_setting('app.scope', true) = 'system');
        CREATE ROLE plain_owner;
        ALTER TABLE people OWNER TO plain_owner;`,
      '2_names': `SET LOCAL ROLE plain_owner; UPDATE people SET name = 'Annie'; RESET ROLE;`,
    });
    await deploy();
    const client = await connect(url);
    expect((await client.query('SELECT name FROM people')).rows).toEqual([{ name: 'Annie' }]);
  });
});

describe('a broken migration', () => {
  it('leaves nothing behind, and is applied once it is mended', async () => {
    const broken = 'CREATE TABLE turns (id integer);\nINSERT INTO nowhere VALUES (1);';
    const { url, write, deploy } = await place({ '1_people': 'CREATE TABLE people ();', '2_turns': broken });
    await expect(deploy()).rejects.toThrow(
      'migration 2_turns failed: line 2: relation "nowhere" does not exist. Nothing of it was kept: mend the cause and start again',
    );
    const client = await connect(url);
    expect(await attempts(client)).toEqual([{ name: '1_people', ...DONE }]);
    await write({ '2_turns': 'CREATE TABLE turns (id integer);' });
    expect(await deploy()).toEqual(['2_turns']);
  });

  it('that ran outside a transaction waits until somebody has looked at it', async () => {
    const { url, write, deploy } = await place({
      '1_index': '-- kith:outside-a-transaction\nCREATE INDEX CONCURRENTLY an_idx ON nowhere (id);',
    });
    await expect(deploy()).rejects.toThrow(/relation "nowhere" does not exist.* --rolled-back/);
    await expect(deploy()).rejects.toThrow(/did not finish \(.*"nowhere" does not exist\).* resolve 1_index/);
    await resolveMigration(url, '1_index', 'rolled-back');
    await write({ '1_index': '-- kith:outside-a-transaction\nVACUUM;' });
    expect(await deploy()).toEqual(['1_index']);
    await expect(resolveMigration(url, '1_index', 'applied')).rejects.toThrow('no unfinished attempt');
  });
});

describe('the rights of the services’ role', () => {
  it('are given as a whole or not at all', async () => {
    const url = postgres.ownerUrl('kith_rights');
    await deployMigrations(url, REAL);
    const client = await connect(url);
    await ensureAppRole(url, 'kith_app', 'secret');
    await client.query('ALTER TABLE operator_actions RENAME TO log');
    await expect(ensureAppRole(url, 'kith_app', 'secret')).rejects.toThrow('operator_actions');
    const asked = await client.query(`SELECT has_table_privilege('kith_app', 'log', 'UPDATE') AS may`);
    expect(asked.rows).toEqual([{ may: false }]);
  }, 60_000);
});

async function columnsOf(client: pg.Client): Promise<unknown[]> {
  const { rows } = await client.query<Record<string, unknown>>(
    `SELECT column_name, data_type, character_maximum_length, is_nullable, column_default
     FROM information_schema.columns WHERE table_name = '_prisma_migrations' ORDER BY ordinal_position`,
  );
  return rows;
}
