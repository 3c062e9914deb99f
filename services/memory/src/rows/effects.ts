import { deleteInBatches, sql, type Database, type Writer } from '@kith/database';

/** Days for which a call's key is kept, longer than any turn stays open: after it the call would be carried out again. */
const KEEP_DAYS = 30;
/** Keys that are deleted in one transaction. */
const PRUNE_BATCH = 5_000;

/**
 * Notes a tool's call in the transaction that carries it out. Returns false when it was carried out before: then
 * nothing is left to do. A call without a key is always carried out.
 */
export async function noteEffect(tx: Pick<Writer, '$executeRaw'>, personId: string, key: string | undefined) {
  if (key === undefined) return true;
  const noted = await tx.$executeRaw`
    INSERT INTO memory_effects (key, person_id) VALUES (${key}, ${personId}::uuid) ON CONFLICT (key) DO NOTHING`;
  return noted === 1;
}

/** Tells whether a tool's call was carried out before. */
export async function wasCarriedOut(tx: Pick<Writer, '$queryRaw'>, key: string): Promise<boolean> {
  const noted = await tx.$queryRaw<unknown[]>`SELECT 1 FROM memory_effects WHERE key = ${key}`;
  return noted.length > 0;
}

/** Deletes keys that nobody uses any more. */
export async function pruneEffects(database: Database): Promise<void> {
  const isOld = sql`at < now() - ${KEEP_DAYS} * interval '1 day'`;
  await deleteInBatches(database, 'system', 'memory_effects', isOld, PRUNE_BATCH);
}
