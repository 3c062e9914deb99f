import { setTimeout } from 'node:timers/promises';
import { firstOf } from '@kith/contracts/present';
import type pg from 'pg';
import { withClient } from '../connections/with-client.js';

/** The lock that Prisma's own command takes, so that it and this runner wait for each other. */
const MIGRATION_LOCK = 72_707_369;
/** A migration takes some 20 ms. */
const POLL_MS = 50;
/** Postgres' code when the server has no such database. */
const NO_SUCH_DATABASE = '3D000';
/** Another process has made the database in the meantime. */
const MADE_MEANWHILE = new Set(['42P04', '23505']);

/**
 * Works on a database that nobody else migrates meanwhile. Makes the database when the server does not have it.
 *
 * Waits by asking again: a session that waits inside Postgres holds a snapshot, for which CREATE INDEX CONCURRENTLY
 * in the session with the lock would wait in turn.
 */
export function withMigrationLock<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  // The lock goes with its session.
  const locked = () =>
    withClient(url, async (client) => {
      while (!(await isTaken(client))) await setTimeout(POLL_MS);
      return work(client);
    });
  return locked().catch(async (error: unknown) => {
    if ((error as pg.DatabaseError).code !== NO_SUCH_DATABASE) throw error;
    await createDatabase(url);
    return locked();
  });
}

async function isTaken(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
    MIGRATION_LOCK,
  ]);
  return firstOf(rows).taken;
}

async function createDatabase(url: string): Promise<void> {
  const admin = new URL(url);
  const name = decodeURIComponent(admin.pathname.slice(1));
  admin.pathname = '/postgres';
  await withClient(admin.href, (client) =>
    client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`),
  ).catch((error: unknown) => {
    if (!MADE_MEANWHILE.has((error as pg.DatabaseError).code ?? '')) throw error;
  });
}
