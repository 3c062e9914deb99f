import { deleteInBatches, sql, type Database, type Sql } from '@kith/database';

/** Deletes lines for which `which` holds, and before them their sealed copies, so that no undo restores their words. */
export async function deleteLines(
  database: Pick<Database, 'writer'>,
  which: Sql,
  batch: number,
): Promise<void> {
  const isOfThem = sql`line_id IN (SELECT id FROM transcript WHERE ${which})`;
  await deleteInBatches(database, 'system', 'sealed_lines', isOfThem, batch);
  await deleteInBatches(database, 'system', 'transcript', which, batch);
}
