import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

/**
 * A backup is one gzip stream: a header line, then for each table a line with its name and columns, its rows
 * in PostgreSQL's COPY text format, and `\.`. The vector index is left out, because it is derived.
 */
const FORMAT = 'kith-backup-1';
/** Beginning of the comment by which a table's owner keeps it out of a backup, in the migration that makes it. */
const NOT_IN_BACKUP = 'kith:not-in-backup';
/** Beginning of the names of functions, made by an owner's migrations, that keep what has to outlast a restore. */
const BEFORE_RESTORE = 'kith_restoring_';
/** Beginning of those that put it back, and end the owner's work that was under way when the backup was written. */
const AFTER_RESTORE = 'kith_restored_';

interface Header {
  format: string;
  createdAt: string;
  migrations: string[];
}
interface TableStart {
  table: string;
  columns: string[];
}

/** Rows by table. */
export type Counts = Record<string, number>;

/** Writes everything as of one moment, while the services go on. Needs the owner, whom no row-level policy holds. */
export async function writeBackup(ownerUrl: string, output: Writable, now: Date): Promise<Counts> {
  return withClient(ownerUrl, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const counts: Counts = {};
    await pipeline(backupLines(client, now, counts), createGzip(), output);
    await client.query('COMMIT');
    return counts;
  });
}

/** Lines of a backup. Counts the rows as they come. */
async function* backupLines(client: pg.Client, now: Date, counts: Counts): AsyncGenerator<string> {
  const header: Header = {
    format: FORMAT,
    createdAt: now.toISOString(),
    migrations: await migrationsOf(client),
  };
  yield `${JSON.stringify(header)}\n`;
  for (const { table, columns } of await tablesOf(client)) {
    yield `${JSON.stringify({ table, columns } satisfies TableStart)}\n`;
    const rows = client.query(copyTo(`COPY ${columnList(client, table, columns)} TO STDOUT`));
    counts[table] = 0;
    for await (const row of linesOf(rows)) {
      counts[table] += 1;
      yield `${row}\n`;
    }
    yield '\\.\n';
  }
}

/**
 * Puts a backup in the place of what is there, in one transaction: it takes effect whole or not at all. Each owner keeps
 * what has to outlast it, such as who was erased since it was written, or which keys were revoked.
 * @throws Error when services are connected, when it is no backup, or one of a newer version than this database
 */
export async function readBackup(ownerUrl: string, input: Readable): Promise<Counts> {
  const lines = unpacked(input);
  const header = await readHeader(lines);
  return withClient(ownerUrl, async (client) => {
    const here = new Set(await migrationsOf(client));
    const unknown = header.migrations.filter((name) => !here.has(name));
    if (unknown.length > 0)
      throw new Error(`the backup is of a newer version: this one lacks ${unknown.join(', ')}`);
    await refuseWhileServed(client);
    await client.query('BEGIN');
    // Rows come back table by table: references are not checked until all are there.
    await client.query(`SET LOCAL session_replication_role = 'replica'`);
    const present = await tablesOf(client);
    const everything = [...present.map(({ table }) => table), ...(await leftOutOf(client))];
    await callOwners(client, BEFORE_RESTORE);
    await client.query(`TRUNCATE ${everything.map(client.escapeIdentifier).join(', ')} CASCADE`);
    const counts: Counts = {};
    for await (const line of lines) {
      const { table, columns } = JSON.parse(line) as TableStart;
      const known = present.find((one) => one.table === table)?.columns;
      if (!known) throw new Error(`the backup has a table ${table} that is unknown here`);
      // A backup of an earlier version may have columns that were dropped since. COPY needs somewhere to put them.
      const dropped = columns.filter((column) => !known.includes(column)).map(client.escapeIdentifier);
      const change = (changes: string[]) =>
        client.query(`ALTER TABLE ${client.escapeIdentifier(table)} ${changes.join(', ')}`);
      if (dropped.length > 0) await change(dropped.map((column) => `ADD COLUMN ${column} text`));
      counts[table] = await copyTable(client, table, columns, lines);
      if (dropped.length > 0) await change(dropped.map((column) => `DROP COLUMN ${column}`));
    }
    await callOwners(client, AFTER_RESTORE);
    await resetSequences(client);
    await client.query('COMMIT');
    return counts;
  });
}

/**
 * Reads a backup to its end and changes nothing, so that a bad one is found before any service is stopped for it. Says
 * when it was written and what it holds.
 * @throws Error when it is no backup, or not all of one
 */
export async function checkBackup(input: Readable): Promise<{ createdAt: string; counts: Counts }> {
  const lines = unpacked(input);
  const { createdAt } = await readHeader(lines);
  const counts: Counts = {};
  for await (const line of lines) {
    const { table } = JSON.parse(line) as TableStart;
    counts[table] = 0;
    for await (const _row of rowsOf(table, lines)) counts[table] += 1;
  }
  return { createdAt, counts };
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

async function copyTable(
  client: pg.Client,
  table: string,
  columns: string[],
  lines: AsyncIterator<string>,
): Promise<number> {
  const sink = client.query(copyFrom(`COPY ${columnList(client, table, columns)} FROM STDIN`));
  let count = 0;
  const counted = async function* () {
    for await (const row of rowsOf(table, lines)) {
      count += 1;
      yield `${row}\n`;
    }
  };
  await pipeline(counted, sink);
  return count;
}

/** A table and its columns, as COPY names them. */
function columnList(client: pg.Client, table: string, columns: readonly string[]): string {
  return `${client.escapeIdentifier(table)} (${columns.map(client.escapeIdentifier).join(', ')})`;
}

/** A table's rows, up to its end mark. */
async function* rowsOf(table: string, lines: AsyncIterator<string>): AsyncGenerator<string> {
  for (;;) {
    const next = await lines.next();
    if (next.done) throw new Error(`the backup breaks off in ${table}`);
    if (next.value === '\\.') return;
    yield next.value;
  }
}

async function readHeader(lines: AsyncIterator<string, undefined>): Promise<Header> {
  const { value: line = '' } = await lines.next();
  try {
    const header = JSON.parse(line) as Header;
    if (header.format === FORMAT) return header;
  } catch {
    // said below
  }
  throw new Error('this is not a Kith backup');
}

/** Unpacks a backup into its lines. Says in words what zlib means by its codes. */
async function* unpacked(input: Readable): AsyncGenerator<string> {
  try {
    const gunzip = createGunzip();
    // Its failure, such as a file that can't be read, is thrown to whoever reads the lines.
    pipeline(input, gunzip).catch(() => undefined);
    yield* linesOf(gunzip);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'Z_DATA_ERROR')
      throw new Error('this is not a Kith backup, or it is damaged', { cause: error });
    if (code === 'Z_BUF_ERROR') throw new Error('the backup is broken off or damaged', { cause: error });
    throw error;
  }
}

/**
 * Lines of a stream. Not readline's: that also breaks at U+2028, which may stand in what people say, while
 * COPY escapes every line feed and carriage return inside a value.
 */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // Parts of the line that has not ended: joined at each chunk, a row of many would be copied once a chunk.
  let begun: string[] = [];
  for await (const chunk of stream) {
    const [first = '', ...others] = decoder.decode(chunk as Buffer, { stream: true }).split('\n');
    begun.push(first);
    if (others.length === 0) continue;
    yield begun.join('');
    begun = [others.pop() ?? ''];
    yield* others;
  }
  const last = begun.join('');
  if (last) yield last;
}

/** The tables of a backup: all but the migrations' own, and those whose owners keep them out. */
async function tablesOf(client: pg.Client): Promise<TableStart[]> {
  const { rows } = await client.query<TableStart>(
    `SELECT table_name AS "table", array_agg(column_name::text ORDER BY ordinal_position) AS columns
     FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name <> ALL($1)
     GROUP BY table_name ORDER BY table_name`,
    [['_prisma_migrations', ...(await leftOutOf(client))]],
  );
  return rows;
}

async function leftOutOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `SELECT relname AS "table" FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND starts_with(obj_description(oid, 'pg_class'), $1)
     ORDER BY 1`,
    [NOT_IN_BACKUP],
  );
  return rows.map(({ table }) => table);
}

async function migrationsOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY 1',
  );
  return rows.map(({ name }) => name);
}

async function resetSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
     WHERE table_schema = 'public' AND column_default LIKE 'nextval(%'`,
  );
  for (const { table, column } of rows) {
    await client.query(
      `SELECT setval(pg_get_serial_sequence($1, $2), coalesce((SELECT max(${client.escapeIdentifier(column)}) FROM ${client.escapeIdentifier(table)}), 0) + 1, false)`,
      [`public.${client.escapeIdentifier(table)}`, column],
    );
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
