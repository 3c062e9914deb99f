import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, startPostgres, type RunningPostgres } from '@kith/embedded';
import pg from 'pg';
import { readBackup, writeBackup } from '../backup.js';

const MIGRATE = join(import.meta.dirname, '../../../dist/migrate-cli.js');
export const FOLDER = join(import.meta.dirname, '../../../../../prisma/migrations');
export const PERSON = '00000000-0000-7000-8000-0000000000aa';
export let directory: string;
export let postgres: RunningPostgres;

/** Database that others are copies of: a copy takes a tenth of the CPU that its migrations take. */
const MIGRATED = 'kith_migrated';

export async function migrated(database: string): Promise<string> {
  const at = pg.escapeIdentifier(database);
  await query(postgres.ownerUrl('postgres'), `CREATE DATABASE ${at} TEMPLATE ${MIGRATED} STRATEGY file_copy`);
  return postgres.ownerUrl(database);
}

export async function query(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** Starts a Postgres with a migrated database. */
export async function openPostgres(): Promise<void> {
  directory = await mkdtemp(join(tmpdir(), 'kith-backup-'));
  postgres = await startPostgres({
    directory: join(directory, 'postgres'),
    port: await freePort(),
    password: randomUUID(),
    durable: false,
  });
  await promisify(execFile)(process.execPath, [MIGRATE, 'deploy'], {
    env: { ...process.env, DATABASE_OWNER_URL: postgres.ownerUrl(MIGRATED) },
  });
}

/** Ends what was started. */
export async function closePostgres(): Promise<void> {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}

/** Backs a database up. Returns the file, and the count of rows of each table. */
export async function backUp(url: string) {
  const file = join(directory, `${randomUUID()}.gz`);
  return { file, written: await writeBackup(url, createWriteStream(file), new Date()) };
}

/** Brings a database back to what is in a backup. */
export const restore = (url: string, file: string) => readBackup(url, createReadStream(file), FOLDER);
