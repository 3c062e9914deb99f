import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import {
  beginCopy,
  copyTables,
  headerLine,
  leftOutOf,
  migrationsOf,
  readHeader,
  rowsOf,
  tableLines,
  tablesOf,
  unpacked,
  type Counts,
  type TableStart,
} from './backup-rows.js';
import { withClient } from '../connections/with-client.js';
import { readMigrations } from '../migrations/read-migrations.js';
import { withUpgraded } from './upgrade-backup.js';

/** Beginning of the names of functions, made by an owner's migrations, that keep what has to outlast a restore. */
const BEFORE_RESTORE = 'kith_restoring_';
/** Beginning of those that put it back, and end the owner's work that was under way when the backup was written. */
const AFTER_RESTORE = 'kith_restored_';

/**
 * Writes everything as of one moment, while the services go on. Needs the owner. Row-level security holds one who is no
 * superuser, so the scope that sees every row is entered.
 */
export async function writeBackup(ownerUrl: string, output: Writable, now: Date): Promise<Counts> {
  return withClient(ownerUrl, async (client) => {
    await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL "app.scope" = 'system'`);
    const counts: Counts = {};
    const lines = async function* () {
      yield `${await headerLine(client, now)}\n`;
      for await (const line of tableLines(client, counts)) yield `${line}\n`;
    };
    await pipeline(lines, createGzip(), output);
    await client.query('COMMIT');
    return counts;
  });
}

/**
 * Replaces all data by a backup, in one transaction: it takes effect whole or not at all. A backup of an earlier
 * version goes through the migrations of `folder` first. Some data outlasts this, such as who was erased since the
 * backup, or which keys were revoked: its owners keep it.
 * @throws Error when services are connected, when it is no backup, or one of a newer version than this database
 */
export async function readBackup(ownerUrl: string, input: Readable, folder: string): Promise<Counts> {
  const lines = unpacked(input);
  const { migrations } = await readHeader(lines);
  return withClient(ownerUrl, async (client) => {
    const here = await migrationsOf(client);
    refuseNewer(migrations, here);
    await refuseWhileServed(client);
    if (migrations.length === here.length) return replaceRows(client, lines);
    return withUpgraded(ownerUrl, { migrations, lines }, folder, (now) => replaceRows(client, now));
  });
}

async function replaceRows(client: pg.Client, lines: AsyncGenerator<string>): Promise<Counts> {
  // Again, since bringing an earlier backup up to date takes minutes.
  await refuseWhileServed(client);
  await beginCopy(client);
  const everything = [...(await tablesOf(client)).map(({ table }) => table), ...(await leftOutOf(client))];
  await callOwners(client, BEFORE_RESTORE);
  await client.query(`TRUNCATE ${everything.map(client.escapeIdentifier).join(', ')} CASCADE`);
  const counts = await copyTables(client, lines);
  await callOwners(client, AFTER_RESTORE);
  await client.query('COMMIT');
  return counts;
}

/**
 * Reads a backup to its end and changes nothing, so that a bad one is found before any service is stopped for it. Says
 * when it was written and what it holds.
 * @throws Error when it is no backup, not all of one, or one of a newer version than the migrations of `folder`
 */
export async function checkBackup(
  input: Readable,
  folder: string,
): Promise<{ createdAt: string; counts: Counts }> {
  const lines = unpacked(input);
  const { createdAt, migrations } = await readHeader(lines);
  refuseNewer(
    migrations,
    (await readMigrations(folder)).map(({ name }) => name),
  );
  const counts: Counts = {};
  for await (const line of lines) {
    const { table } = JSON.parse(line) as TableStart;
    counts[table] = 0;
    for await (const _row of rowsOf(table, lines)) counts[table] += 1;
  }
  return { createdAt, counts };
}

function refuseNewer(migrations: readonly string[], here: readonly string[]): void {
  const unknown = migrations.filter((name) => !here.includes(name));
  if (unknown.length > 0)
    throw new Error(`the backup is of a newer version: this one lacks ${unknown.join(', ')}`);
}

/** Calls each owner's function whose name begins like this. */
async function callOwners(client: pg.Client, beginning: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT proname AS name FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace AND starts_with(proname, $1) ORDER BY 1`,
    [beginning],
  );
  for (const { name } of rows) await client.query(`SELECT ${client.escapeIdentifier(name)}()`);
}

/** Refuses while services are connected: they would go on with what they remember of the replaced rows. */
async function refuseWhileServed(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND usename <> current_user`,
  );
  const count = rows[0]?.count ?? 0;
  if (count > 0)
    throw new Error(`services are connected (${count}): stop them first, as scripts/restore does`);
}
