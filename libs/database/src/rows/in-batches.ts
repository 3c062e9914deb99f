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

/** Deletes the rows of a table for which `which` holds, at most `batch` in a transaction. Returns how many they were. */
export function deleteInBatches(
  database: Pick<Database, 'writer'>,
  scope: Scope,
  table: string,
  which: Sql,
  batch: number,
): Promise<number> {
  const name = rawSql(table);
  const statement = sql`
    DELETE FROM ${name} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${name} WHERE ${which} LIMIT ${batch}))`;
  return inBatches(batch, () => database.writer(scope).$executeRaw(statement));
}
