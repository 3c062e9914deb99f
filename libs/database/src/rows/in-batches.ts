import { firstOf } from '@kith/contracts';
import type { Database } from '../database/database.js';
import { rawSql, sql, type Sql } from '../sql/sql.js';
import type { Scope } from '../transactions/transaction.js';

/**
 * Repeats a statement that changes at most `batch` rows until it finds fewer, so that no transaction holds very many.
 * Returns the number of rows changed in all.
 */
export async function inBatches(batch: number, change: () => Promise<number>): Promise<number> {
  for (let all = 0; ;) {
    const changed = await change();
    all += changed;
    if (changed < batch) return all;
  }
}

/**
 * Deletes the rows of a table for which `which` holds, at most `batch` in a transaction. Returns how many they were. A row
 * that somebody changes in that moment has another place afterwards, and is found once more.
 */
export async function deleteInBatches(
  database: Pick<Database, 'writer'>,
  scope: Scope,
  table: string,
  which: Sql,
  batch: number,
): Promise<number> {
  const name = rawSql(table);
  const statement = sql`
    WITH found AS (SELECT ctid AS place FROM ${name} WHERE ${which} LIMIT ${batch}),
      gone AS (DELETE FROM ${name} WHERE ctid = ANY (ARRAY(SELECT place FROM found)) RETURNING 1)
    SELECT (SELECT count(*)::int FROM found) AS found, (SELECT count(*)::int FROM gone) AS gone`;
  for (let all = 0; ;) {
    const rows = await database.writer(scope).$queryRaw<{ found: number; gone: number }[]>(statement);
    const { found, gone } = firstOf(rows);
    all += gone;
    if (found < batch && gone === found) return all;
  }
}
