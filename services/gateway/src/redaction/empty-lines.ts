import type { Withheld } from '@kith/contracts';
import { sql, type Sql, type Tx } from '@kith/database';
import { emptyCalls } from './empty-calls.js';

/**
 * Discards replies under way that were written with this person's lines or memories, and empties their steps. Waits for
 * turns that are being committed, so that their lines are seen.
 * @param told conversations whose lines change: in their places everybody's turns had them in view, or were told them as a
 *   quoted reply of another companion; elsewhere only the person's own.
 *   By default all conversations in which the person took part.
 */
export async function outdateReplies(
  tx: Tx,
  personId: string,
  told: readonly string[] | Sql = sql`SELECT conversation_id FROM turns WHERE person_id = ${personId}::uuid`,
): Promise<void> {
  const shared = conversationsOfPlaces(told);
  const own = sql`SELECT conversation_id FROM inbox WHERE person_id = ${personId}::uuid AND outcome IS NULL`;
  await countChange(tx, sql`person_id = ${personId}::uuid OR conversation_id IN (${shared} UNION ${own})`);
  await emptySteps(tx, personId, shared);
}

/**
 * Discards, as `outdateReplies` does, replies under way that may have seen a line or anything derived from it:
 * everybody's in the place where it was said, and its person's own everywhere. Others elsewhere can't hear of it
 * (`canHear`).
 */
export async function outdateLine(
  tx: Tx,
  { personId, conversationId }: { personId: string; conversationId: string },
): Promise<void> {
  const shared = conversationsOfPlaces([conversationId]);
  await countChange(tx, sql`person_id = ${personId}::uuid OR conversation_id IN (${shared})`);
  await emptySteps(tx, personId, shared);
}

/**
 * SQL for the conversations in the places of some: those that the same people have there with each companion.
 * @param which ids of conversations, or a query for them
 */
export function conversationsOfPlaces(which: readonly string[] | Sql): Sql {
  const ids = 'sql' in which ? sql`ARRAY(${which})` : sql`${[...new Set(which)]}::uuid[]`;
  return sql`
    SELECT place.conversation_id FROM conversations AS place JOIN conversations AS said USING (door, external_id)
    WHERE said.conversation_id = ANY (${ids})`;
}

/** Locks conversations in one order and counts a change of each, so that replies under way there are discarded. */
export async function countChange(tx: Tx, which: Sql): Promise<void> {
  await tx.$executeRaw`
    UPDATE conversations SET retold = retold + 1 WHERE conversation_id = ANY (ARRAY(
      SELECT conversation_id FROM conversations WHERE ${which} ORDER BY conversation_id FOR UPDATE))`;
}

/**
 * Locks outbox rows before their lines are emptied, in the order of `noteDelivered`. Without it neither sees what the
 * other writes: the line is emptied while its reply is pending, and the reply then ends with its words kept.
 * @param which condition on lines of the transcript
 */
export async function lockReplies(tx: Tx, which: Sql): Promise<void> {
  await tx.$executeRaw`
    SELECT 1 FROM outbox WHERE turn_id IN (SELECT turn_id FROM transcript WHERE role = 'companion' AND ${which})
    ORDER BY id FOR UPDATE`;
}

/**
 * Empties lines and their copies in the inbox, the outbox and tool calls. A pending reply is no longer sent if it was
 * forgotten or deleted. After an edit it is sent, or its person would be left without an answer.
 */
export async function emptyLines(tx: Tx, ids: readonly bigint[], why: Withheld): Promise<void> {
  if (ids.length === 0) return;
  await lockReplies(tx, sql`id = ANY (${[...ids]}::bigint[])`);
  await tx.$executeRaw`
    WITH emptied AS (
      UPDATE transcript SET text = '', withheld = ${why} WHERE id = ANY (${[...ids]}::bigint[])
      RETURNING turn_id, role, external_id, conversation_id
    ), said AS (
      UPDATE inbox SET text = '' FROM emptied
      WHERE inbox.conversation_id = emptied.conversation_id AND inbox.external_id = emptied.external_id
    ), called AS (
      DELETE FROM tool_calls USING emptied WHERE tool_calls.turn_id = emptied.turn_id
    )
    UPDATE outbox SET text = CASE status WHEN 'pending' THEN outbox.text ELSE '' END,
      forgotten_at = CASE WHEN ${why} IN ('forgotten', 'deleted') THEN now() ELSE forgotten_at END
    FROM emptied WHERE outbox.turn_id = emptied.turn_id AND emptied.role = 'companion'`;
}

/** Seals the words of lines for an undo. Leaves out lines that are withheld for another reason: no undo restores them. */
export async function sealLines(
  tx: Tx,
  { orderId, personId, until }: { orderId: string; personId: string; until: Date },
  ids: readonly bigint[],
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO sealed_lines (order_id, line_id, person_id, text, until)
    SELECT ${orderId}::uuid, id, ${personId}::uuid, text, ${until} FROM transcript
    WHERE id = ANY (${[...ids]}::bigint[]) AND withheld IS NULL ON CONFLICT DO NOTHING`;
}

/**
 * Empties a person's steps and calls, and everybody's in some conversations: a thought may repeat any line or memory of its
 * prompt. Which tools were called, and how that ended, stays.
 * @param shared selects conversations where others' prompts held the person's lines; by default none
 */
export async function emptySteps(tx: Tx, personId: string, shared: Sql = sql`SELECT NULL::uuid`) {
  await tx.$executeRaw`
    UPDATE turn_steps SET sealed = NULL, calls = coalesce((
      SELECT jsonb_agg(entry.value - 'sealed' ORDER BY position)
      FROM jsonb_array_elements(calls) WITH ORDINALITY AS entry (value, position)), '[]')
    WHERE sealed IS NOT NULL AND (person_id = ${personId}::uuid OR conversation_id IN (${shared}))`;
  await emptyCalls(tx, personId, shared);
}
