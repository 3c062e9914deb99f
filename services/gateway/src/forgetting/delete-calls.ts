import { sql, type Tx } from '@kith/database';
import type { LineChoice } from './choose-lines.js';

/**
 * Deletes a person's calls of tools from the time that an order names, with what they asked and returned: those that the
 * person made themselves belong to no line. Calls of named messages go with their lines.
 */
export async function deleteCalls(tx: Tx, { personId, companionId, what }: LineChoice): Promise<void> {
  if ('sources' in what) return;
  const isNamed =
    'before' in what
      ? sql`asked_at <= ${what.before}`
      : sql`turn_id IS NULL AND asked_at >= ${what.from} AND asked_at < ${what.to}`;
  await tx.$executeRaw`
    DELETE FROM tool_calls WHERE person_id = ${personId}::uuid AND ${isNamed}
      AND (${companionId}::text IS NULL OR companion_id = ${companionId})`;
}
