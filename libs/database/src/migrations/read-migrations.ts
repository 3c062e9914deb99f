import { hash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** One folder of `prisma/migrations`. */
export interface Migration {
  name: string;
  sql: string;
  /** False for a statement that Postgres refuses in a transaction, such as CREATE INDEX CONCURRENTLY. */
  inTransaction: boolean;
}

/**
 * First line of a migration that runs outside a transaction. It holds one statement, because Postgres runs several
 * that are sent together in a transaction of their own.
 */
const OUTSIDE = '-- kith:outside-a-transaction';

/** Reads every `<name>/migration.sql` of a folder, in the order of the names, which begin with their time. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name, 'migration.sql'), 'utf8');
      return { name, sql, inTransaction: !sql.startsWith(OUTSIDE) };
    }),
  );
}

/** Checksum of a migration's file, as Prisma keeps it. */
export function checksumOf(sql: string): string {
  return hash('sha256', sql);
}

/** Tells whether a file is the one that was applied, with whichever line ends: Prisma takes both too. */
export function hasChecksum(sql: string, checksum: string): boolean {
  const unix = sql.replaceAll('\r\n', '\n');
  return [sql, unix, unix.replaceAll('\n', '\r\n')].some((text) => checksumOf(text) === checksum);
}
