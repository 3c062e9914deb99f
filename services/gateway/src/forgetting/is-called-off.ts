import type { Database } from '@kith/database';

/** Tells whether outreach was called off because its reason was forgotten. */
export async function isCalledOff(
  database: Database,
  { personId, attemptId }: { personId: string; attemptId: string },
): Promise<boolean> {
  const rows = await database.reader({ personId }).$queryRaw<unknown[]>`
    SELECT 1 FROM forget_orders
    WHERE person_id = ${personId}::uuid AND jsonb_exists(what -> 'attemptIds', ${attemptId}) LIMIT 1`;
  return rows.length > 0;
}
