import type pg from 'pg';

/** Cost of a statement between two looks. */
export interface StatementCost {
  statement: string;
  calls: number;
  /** Time of one call. */
  meanMs: number;
  /** Pages of 8 KB that one call looked at, in memory or not: a count that no other load disturbs. */
  pages: number;
}

/** A table that was read from its beginning to its end. */
export interface TableScan {
  table: string;
  scans: number;
  rowsEach: number;
}

/** Most a statement may cost on the filled database beside the empty one. */
const GROWN = 1.3;
/** A smaller difference is noise, or an index that is a level higher. */
const FLOOR_MS = 0.2;
const FLOOR_PAGES = 24;
/** A table of so few rows is read whole within a millisecond, and does not grow with the people. */
const SMALL_TABLE_ROWS = 5_000;

/** Has Postgres count what statements cost; it has to be started again after this. */
export async function prepareCounting(owner: pg.Client): Promise<void> {
  await owner.query(`ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`);
  await owner.query('ALTER SYSTEM SET pg_stat_statements.max = 10000');
}

/** Counts from here on. */
export async function resetCounts(owner: pg.Client): Promise<void> {
  await owner.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await owner.query('SELECT pg_stat_statements_reset()');
  await owner.query('SELECT pg_stat_reset()');
}

/** Reads the cost of the services' own statements since then, by their text. */
export async function readStatements(owner: pg.Client): Promise<Map<string, StatementCost>> {
  const { rows } = await owner.query<StatementCost>(
    `SELECT regexp_replace(query, '\\s+', ' ', 'g') AS statement, sum(calls)::int AS calls,
       sum(total_exec_time) / sum(calls) AS "meanMs",
       (sum(shared_blks_hit + shared_blks_read) / sum(calls))::float AS pages
     FROM pg_stat_statements JOIN pg_roles ON pg_roles.oid = userid
     WHERE rolname = 'kith_app' AND calls > 0 GROUP BY 1`,
  );
  return new Map(rows.map((row) => [row.statement, row]));
}

/** Tables that were scanned since then, and are not small. */
export async function readScans(owner: pg.Client): Promise<TableScan[]> {
  // Backends report their counts only a second later.
  await owner.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await owner.query<TableScan>(
    `SELECT relname AS "table", seq_scan::int AS scans, (seq_tup_read / seq_scan)::int AS "rowsEach"
     FROM pg_stat_user_tables WHERE seq_scan > 0 AND seq_tup_read / seq_scan > $1
     ORDER BY seq_tup_read DESC`,
    [SMALL_TABLE_ROWS],
  );
  return rows;
}

/** Statements of which a call costs more on the filled database, the dearest first. */
export function grownStatements(
  alone: ReadonlyMap<string, StatementCost>,
  filled: ReadonlyMap<string, StatementCost>,
): { statement: string; alone: StatementCost; filled: StatementCost }[] {
  return [...filled.values()]
    .flatMap((now) => {
      const before = alone.get(now.statement);
      return before && hasGrown(before, now)
        ? [{ statement: now.statement, alone: before, filled: now }]
        : [];
    })
    .toSorted((one, other) => other.filled.meanMs - one.filled.meanMs);
}

function hasGrown(before: StatementCost, now: StatementCost): boolean {
  const moreTime = now.meanMs > GROWN * before.meanMs && now.meanMs - before.meanMs > FLOOR_MS;
  const morePages = now.pages > GROWN * before.pages && now.pages - before.pages > FLOOR_PAGES;
  return moreTime || morePages;
}
