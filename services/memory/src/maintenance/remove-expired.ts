import { DAY_MS, type MemoryKind } from '@kith/contracts';
import { forGood } from '../forget/forget-request.js';
import type { UpkeepParts } from './upkeep-parts.js';

/** Rows that are read at once: those of one person are removed in one transaction. */
const BATCH = 500;

/** Days for which a kind is kept; a kind without an entry is kept for good. */
export type RetentionDays = Partial<Record<MemoryKind, number>>;

/**
 * Removes memories that are older than the operator keeps them, as if their owner had forgotten them: with what was
 * derived from them, from every store, never to come back. Only pinned memories stay, and facts that lines which stay
 * tell. Unlike a person's own order it takes nothing back: a fact that one of them had ended stays ended.
 */
export async function removeExpired(
  { database, forgetting, logger }: Pick<UpkeepParts, 'database' | 'forgetting' | 'logger'>,
  keptDays: RetentionDays,
  now: Date,
): Promise<number> {
  let removed = 0;
  for (const [kind, days] of Object.entries(keptDays)) {
    const before = new Date(now.getTime() - days * DAY_MS);
    for (;;) {
      const rows = await database.reader('system').$queryRaw<{ id: string; personId: string }[]>`
        SELECT id::text, person_id::text AS "personId" FROM memories
        WHERE kind = ${kind} AND NOT pinned AND said_at < ${before} ORDER BY said_at, memories.id LIMIT ${BATCH}`;
      for (const [personId, own] of Map.groupBy(rows, (row) => row.personId)) {
        const what = { kind: 'ids' as const, ids: own.map(({ id }) => id) };
        removed += (await forgetting.forget({ ...forGood(personId, what), isRetention: true })).rows;
      }
      if (rows.length < BATCH) break;
    }
  }
  if (removed > 0) logger.info({ removed }, 'memories past their retention removed');
  return removed;
}
