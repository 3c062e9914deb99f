import { sql, type Tx } from '@kith/database';
import type { LineChoice } from './choose-lines.js';

/**
 * Deletes a person's tool calls of the time that an order names. Calls that the person made directly belong to no line;
 * the others of a period are deleted with their lines (`emptyLines`).
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
