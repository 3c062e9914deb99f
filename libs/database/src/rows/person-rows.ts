import type { Database } from '../database/database.js';
import { deleteInBatches } from './in-batches.js';
import type { Reader } from '../transactions/transaction.js';
import { joinSql, rawSql, sql } from '../sql/sql.js';

/** Rows deleted in one transaction, so that none takes longer than it may. */
const BATCH = 5_000;

/** A service's tables that hold rows of people: what erasing a person counts and empties. */
export class PersonRows {
  constructor(
    private readonly database: Database,
    private readonly tables: readonly string[],
  ) {}

  /** Counts the rows of this person in each table. */
  count(personId: string): Promise<Record<string, number>> {
    return this.database.read({ personId }, (tx) => this.countIn(tx, personId));
  }

  /** Counts them as a transaction sees them. */
  async countIn(tx: Reader, personId: string): Promise<Record<string, number>> {
    const counts = this.tables.map(
      (table) =>
        sql`SELECT ${table} AS "table", count(*)::int AS rows FROM ${rawSql(table)}
          WHERE person_id = ${personId}::uuid`,
    );
    const rows = await tx.$queryRaw<{ table: string; rows: number }[]>(joinSql(counts, ' UNION ALL '));
    return Object.fromEntries(rows.map(({ table, rows: count }) => [table, count]));
  }

  /** Removes them all, table by table in their order. Safe to repeat, and to be broken off. */
  async erase(personId: string): Promise<void> {
    const isTheirs = sql`person_id = ${personId}::uuid`;
    for (const table of this.tables)
      await deleteInBatches(this.database, { personId }, table, isTheirs, BATCH);
  }
}
