import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

/**
 * A backup is one gzip stream: a header line, then for each table a line with its name and columns, its rows
 * in PostgreSQL's COPY text format, and `\.`. The vector index is left out, because it is derived.
 */
const FORMAT = 'kith-backup-1';
/** Beginning of the comment by which a table's owner keeps it out of a backup, in the migration that makes it. */
const NOT_IN_BACKUP = 'kith:not-in-backup';

export interface Header {
  format: string;
  createdAt: string;
  migrations: string[];
}

export interface TableStart {
  table: string;
  columns: string[];
}

/** Rows by table. */
export type Counts = Record<string, number>;

/** First line of a backup of this database. */
export async function headerLine(client: pg.Client, now: Date): Promise<string> {
  const header: Header = {
    format: FORMAT,
    createdAt: now.toISOString(),
    migrations: await migrationsOf(client),
  };
  return JSON.stringify(header);
}

/** Lines of all tables. Counts the rows as they come. */
export async function* tableLines(client: pg.Client, counts: Counts = {}): AsyncGenerator<string> {
  for (const { table, columns } of await tablesOf(client)) {
    yield JSON.stringify({ table, columns } satisfies TableStart);
    const rows = client.query(copyTo(`COPY ${columnList(client, table, columns)} TO STDOUT`));
    counts[table] = 0;
    for await (const row of linesOf(rows)) {
      counts[table] += 1;
      yield row;
    }
    yield '\\.';
  }
}

/** Begins a transaction for `copyTables`. Rows come table by table: references are not checked, and no trigger runs. */
export async function beginCopy(client: pg.Client): Promise<void> {
  await client.query(`BEGIN; SET LOCAL session_replication_role = 'replica'`);
}

/**
 * Copies tables into empty ones, in a transaction of `beginCopy`.
 * @throws Error at a table that is unknown there, at a row that it refuses, and where the lines break off
 */
export async function copyTables(client: pg.Client, lines: AsyncGenerator<string>): Promise<Counts> {
  const present = new Set((await tablesOf(client)).map(({ table }) => table));
  const counts: Counts = {};
  for await (const line of lines) {
    const start = JSON.parse(line) as TableStart;
    if (!present.has(start.table))
      throw new Error(`the backup has a table ${start.table} that is unknown here`);
    counts[start.table] = await copyTable(client, start, lines);
  }
  await resetSequences(client);
  return counts;
}

async function copyTable(
  client: pg.Client,
  { table, columns }: TableStart,
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
export async function* rowsOf(table: string, lines: AsyncIterator<string>): AsyncGenerator<string> {
  for (;;) {
    const next = await lines.next();
    if (next.done) throw new Error(`the backup breaks off in ${table}`);
    if (next.value === '\\.') return;
    yield next.value;
  }
}

export async function readHeader(lines: AsyncIterator<string, undefined>): Promise<Header> {
  const { value: line = '' } = await lines.next();
  try {
    const header = JSON.parse(line) as Header;
    if (header.format === FORMAT) return header;
  } catch {
    // said below
  }
  throw new Error('this is not a Kith backup');
}

/** Unpacks a backup into its lines. Puts zlib's error codes into words. */
export async function* unpacked(input: Readable): AsyncGenerator<string> {
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
export async function tablesOf(client: pg.Client): Promise<TableStart[]> {
  const { rows } = await client.query<TableStart>(
    `SELECT table_name AS "table", array_agg(column_name::text ORDER BY ordinal_position) AS columns
     FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name <> ALL($1)
     GROUP BY table_name ORDER BY table_name`,
    [['_prisma_migrations', ...(await leftOutOf(client))]],
  );
  return rows;
}

export async function leftOutOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(
    `SELECT relname AS "table" FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND starts_with(obj_description(oid, 'pg_class'), $1)
     ORDER BY 1`,
    [NOT_IN_BACKUP],
  );
  return rows.map(({ table }) => table);
}

export async function migrationsOf(client: pg.Client): Promise<string[]> {
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
