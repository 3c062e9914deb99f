import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { withMigrationLock } from './with-migration-lock.js';
import { planMigrations, type MigrationAttempt } from './plan-migrations.js';
import { checksumOf, readMigrations, type Migration } from './read-migrations.js';

/** Prisma's table, as its own command makes it. */
const TABLE = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id                  VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum            VARCHAR(64) NOT NULL,
    finished_at         TIMESTAMPTZ,
    migration_name      VARCHAR(255) NOT NULL,
    logs                TEXT,
    rolled_back_at      TIMESTAMPTZ,
    started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

/**
 * Brings the database up to the newest migration of a folder, and returns the names of those applied. Safe to run
 * from several processes at once: one applies, the others wait and find nothing to do.
 * @param only names of those that the database is to have, instead of all
 * @throws Error with one line that says what to do
 */
export async function deployMigrations(
  ownerUrl: string,
  folder: string,
  only?: readonly string[],
): Promise<string[]> {
  const files = (await readMigrations(folder)).filter(({ name }) => only?.includes(name) ?? true);
  return withMigrationLock(ownerUrl, async (client) => {
    await client.query(TABLE);
    const pending = planMigrations(files, await attemptsOf(client));
    for (const migration of pending) await apply(client, migration);
    return pending.map(({ name }) => name);
  });
}

/** Ends a failed attempt, once somebody undid it by hand (it is tried again) or completed it. */
export async function resolveMigration(
  ownerUrl: string,
  name: string,
  outcome: 'rolled-back' | 'applied',
): Promise<void> {
  const changes = outcome === 'applied' ? 'finished_at = now(), logs = NULL' : 'rolled_back_at = now()';
  const rowCount = await withMigrationLock(ownerUrl, async (client) => {
    const { rowCount: changed } = await client.query(
      `UPDATE _prisma_migrations SET ${changes}
       WHERE migration_name = $1 AND finished_at IS NULL AND rolled_back_at IS NULL`,
      [name],
    );
    return changed;
  });
  if (!rowCount) throw new Error(`there is no unfinished attempt of migration ${name}`);
}

async function attemptsOf(client: pg.Client): Promise<MigrationAttempt[]> {
  const { rows } = await client.query<MigrationAttempt>(
    `SELECT migration_name AS name, checksum, started_at AS "startedAt", finished_at AS "finishedAt",
            rolled_back_at AS "rolledBackAt", logs
     FROM _prisma_migrations ORDER BY started_at, migration_name`,
  );
  return rows;
}

/**
 * Begins a transaction that sees every row: an owner of tables under forced row-level security, who is no superuser,
 * would change none without a scope, and no error would tell.
 */
const BEGIN = `BEGIN; SELECT set_config('app.scope', 'system', true)`;

/** Applies one. In a transaction its row comes and goes with it, so that a failed one can simply be tried again. */
async function apply(client: pg.Client, { name, sql, inTransaction }: Migration): Promise<void> {
  const id = randomUUID();
  try {
    if (inTransaction) await client.query(BEGIN);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at)
       VALUES ($1, $2, $3, clock_timestamp())`,
      [id, checksumOf(sql), name],
    );
    await client.query(sql);
    await client.query(
      'UPDATE _prisma_migrations SET finished_at = clock_timestamp(), applied_steps_count = 1 WHERE id = $1',
      [id],
    );
    if (inTransaction) await client.query('COMMIT');
  } catch (error) {
    const reason = reasonOf(error as pg.DatabaseError, sql);
    // Where the connection is gone, Postgres rolls back by itself, and the row says that it was cut off.
    await (
      inTransaction
        ? client.query('ROLLBACK')
        : client.query('UPDATE _prisma_migrations SET logs = $2 WHERE id = $1', [id, reason])
    ).catch(() => undefined);
    const mend = inTransaction
      ? 'Nothing of it was kept: mend the cause and start again'
      : `Look at what it left, undo that by hand, then run "migrate-cli.js resolve ${name} --rolled-back"`;
    throw new Error(`migration ${name} failed: ${reason}. ${mend}`, { cause: error });
  }
}

/** Says where in the file Postgres stopped, when it tells. */
function reasonOf({ message, position }: pg.DatabaseError, sql: string): string {
  if (!position) return message;
  return `line ${sql.slice(0, Number(position) - 1).split('\n').length}: ${message}`;
}
