import type { ToldCore } from '@kith/contracts';
import type { Reader } from '@kith/database';
import type { MemoryScope } from '../rows/memory-scope.js';

/** Reads the core blocks of an audience that hold something. */
export async function readCore(
  reader: Reader,
  { personId, companionId, audience }: MemoryScope,
): Promise<ToldCore[]> {
  const rows = await reader.$queryRaw<(Omit<ToldCore, 'updatedAt'> & { updatedAt: Date })[]>`
    SELECT label, text, updated_by AS "updatedBy", updated_at AS "updatedAt", origins FROM core_blocks
    WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} AND audience = ${audience} AND text <> ''
    ORDER BY label`;
  return rows.map((row) => ({ ...row, updatedAt: row.updatedAt.toISOString() }));
}
