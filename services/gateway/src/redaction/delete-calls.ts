import { sql, type Sql, type Tx } from '@kith/database';
import type { LineChoice } from './choose-lines.js';
import { HAS_WORDS, WITHOUT_WORDS } from './empty-calls.js';

/**
 * Deletes a person's tool calls of the time that an order names. Calls that the person made directly belong to no line;
 * the others of a period are deleted with their lines (`emptyLines`). A call that a turn under way has made stays until
 * that turn is committed, without its words: after a crash, the turn's next try must not make it again.
 */
export async function deleteCalls(tx: Tx, { personId, companionId, what }: LineChoice): Promise<void> {
  if ('sources' in what) return;
  const isNamed =
    'before' in what
      ? sql`asked_at <= ${what.before}`
      : sql`turn_id IS NULL AND asked_at >= ${what.from} AND asked_at < ${what.to}`;
  const named = sql`person_id = ${personId}::uuid AND ${isNamed}
    AND (${companionId}::text IS NULL OR companion_id = ${companionId})`;
  await deleteCallsWhere(tx, named);
}

/** Deletes tool calls; those that a turn under way has made lose their words and stay. */
export async function deleteCallsWhere(tx: Tx, named: Sql): Promise<void> {
  // One without words is not written again: each end of private talk names those of earlier ones, too.
  await tx.$executeRaw`
    WITH made AS MATERIALIZED (
      SELECT id FROM tool_calls
      WHERE ${named} AND status <> 'waiting' AND turn_id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM turns WHERE turns.turn_id = tool_calls.turn_id)
    ), emptied AS (
      UPDATE tool_calls SET ${WITHOUT_WORDS} WHERE id IN (SELECT id FROM made) AND ${HAS_WORDS}
    )
    DELETE FROM tool_calls WHERE ${named} AND id NOT IN (SELECT id FROM made)`;
}
