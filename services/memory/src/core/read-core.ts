import { timesAsText, type MemoryRequest, type PromptCore } from '@kith/contracts';
import { emptySql, sql, type Reader } from '@kith/database';
import { IS_LEFT } from '../rows/audience-conditions.js';

/** Reads the core blocks that hold something, of an audience or of all; none of servers that the app has left. */
export async function readCore(
  reader: Reader,
  { personId, companionId, audience }: MemoryRequest<'core'>,
): Promise<PromptCore[]> {
  const heard = audience === null ? emptySql : sql`AND audience = ${audience}`;
  const rows = await reader.$queryRaw<(Omit<PromptCore, 'updatedAt'> & { updatedAt: Date })[]>`
    SELECT label, text, audience, updated_by AS "updatedBy", updated_at AS "updatedAt", origins FROM core_blocks AS row
    WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} ${heard} AND NOT ${IS_LEFT} AND text <> ''
    ORDER BY audience <> 'direct', audience, label`;
  return rows.map(timesAsText);
}
