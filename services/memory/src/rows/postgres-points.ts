import { deleteInBatches, type Database, type Sql } from '@kith/database';

/** Rows that are deleted in one transaction: some 10 MB of vectors, in a fraction of a second. */
const DROP_BATCH = 5_000;

/** Tells whether Postgres holds any point, also where another index is in use. */
export async function holdsPoints(database: Database): Promise<boolean> {
  const found = await database.reader('system').$queryRaw<unknown[]>`SELECT FROM memory_vectors LIMIT 1`;
  return found.length > 0;
}

/** Removes everybody's points for which this holds from Postgres. */
export async function removePoints(database: Database, which: Sql): Promise<void> {
  await deleteInBatches(database, 'system', 'memory_vectors', which, DROP_BATCH);
}
