import type { Audience } from '@kith/contracts';
import { sql, type Reader, type Sql, type Tx } from '@kith/database';
import { RECALL_COLUMNS, type RecallRow } from './memory-row.js';
import type { MemoryScope } from './memory-scope.js';

/**
 * Filters as `canHear` does: a DM hears everything of the person's but what was said in servers that the app has left,
 * a channel only what was said there.
 */
export async function readAudienceCondition(
  tx: Tx,
  listener: Audience,
): Promise<{ audience?: string | { notIn: string[] } }> {
  if (listener !== 'direct') return { audience: listener };
  const left = await tx.leftPlace.findMany({ select: { audience: true } });
  return left.length === 0 ? {} : { audience: { notIn: left.map(({ audience }) => audience) } };
}

/** Shelves that may be heard of. */
export type AudibleShelf = 'open' | 'archive';

/** Conditions with the shelf spelled out: with a parameter, Postgres can't know that a partial index has the rows. */
const ON_SHELF: Record<AudibleShelf, Sql> = {
  open: sql`row.shelf = 'open'`,
  archive: sql`row.shelf = 'archive'`,
};

/** Matches rows that were told in a server that the app has left. */
export const IS_LEFT = sql`EXISTS (SELECT 1 FROM left_places WHERE left_places.audience = row.audience)`;

/**
 * Reads open rows that a scope may hear.
 * @param which further conditions on a `row`, and the order and number
 */
export function readAudible(reader: Reader, scope: MemoryScope, which: Sql): Promise<RecallRow[]> {
  return reader.$queryRaw<RecallRow[]>`
    SELECT ${RECALL_COLUMNS} FROM memories AS row WHERE ${isAudible(scope)} AND ${which}`;
}

/** Matches rows of a scope on a shelf. None of a server that the app has left, though somebody may ask as if there. */
export function isAudible({ personId, companionId, audience }: MemoryScope, shelf: AudibleShelf = 'open') {
  const own = sql`row.person_id = ${personId}::uuid AND row.companion_id = ${companionId}
    AND ${ON_SHELF[shelf]} AND NOT ${IS_LEFT}`;
  return audience === 'direct' ? own : sql`${own} AND row.audience = ${audience}`;
}
