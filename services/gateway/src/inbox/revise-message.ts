import type { Door, SentPicture } from '@kith/contracts';
import { sql, toJsonb, type Database, type Tx } from '@kith/database';
import { countChange } from '../forgetting/empty-lines.js';
import { emptySteps } from '../forgetting/empty-steps.js';
import { orderRevision, type RevisedLine } from '../forgetting/revise-line.js';
import { turnIdOf } from '../signals/turn-id.js';

/** Message as it is at its door now. */
export interface MessageChange {
  door: Door;
  messageId: string;
  /** Null where it was deleted. */
  text: string | null;
  /** Pictures that it has now. */
  pictures?: readonly SentPicture[] | undefined;
  at: Date;
}

/** Open messages that were changed. */
export interface Changed {
  conversationId: string;
  personId: string;
  /** Id of one of the messages, by which a turn is dispatched. */
  inboxId: string;
  count: number;
}

/** Open messages that were edited or deleted. */
export interface Revised extends Changed {
  /** Orders to forget what the companion noted of the old words while it thought about an answer. */
  orders: RevisedLine[];
}

/**
 * Applies an edit (`text`) or a deletion (null) at a door to a message without an outcome. Clears the text of a deleted
 * message, and pictures that an edited one no longer has. Returns null for a message that is unknown or has an outcome:
 * `reviseLine` revises its line.
 */
export async function reviseMessage(database: Database, change: MessageChange): Promise<Revised | null> {
  // A deletion names the message and nothing else: whose it was has to be looked up.
  return database.asSystem(async (tx) => {
    const changed = await tx.$queryRaw<Row[]>`
      UPDATE inbox SET revision = revision + 1, text = ${change.text ?? ''}, pictures = NULL,
        deleted_at = ${change.text === null ? change.at : null}::timestamptz
      WHERE external_id = ${change.messageId} AND door = ${change.door} AND origin = 'message'
        AND outcome IS NULL AND deleted_at IS NULL
      RETURNING id, conversation_id AS "conversationId", person_id AS "personId"`;
    // In a second statement: a trigger clears the pictures of a message whose words change.
    if (change.text !== null && change.pictures?.length)
      await tx.$executeRaw`
        UPDATE inbox SET pictures = ${toJsonb(change.pictures)}::jsonb WHERE id = ANY (${changed.map(({ id }) => id)}::bigint[])`;
    // Whoever quotes it may be answered just now, by a reply that was told its old words.
    const quoting = sql`
      SELECT conversation_id FROM inbox
      WHERE outcome IS NULL AND door = ${change.door} AND quote ->> 'messageId' = ${change.messageId}`;
    if (changed.length > 0) await countChange(tx, sql`conversation_id IN (${quoting})`);
    const orders: RevisedLine[] = [];
    for (const row of changed) {
      orders.push(...(await orderForNotes(tx, row, change)));
      // The turn's thoughts and calls so far belong to the old words.
      await emptySteps(tx, row.personId, quoting);
    }
    const revised = summary(changed);
    return revised && { ...revised, orders };
  });
}

/** Orders the companion's notes of an open message to be forgotten, if its turn has called a tool. */
async function orderForNotes(
  tx: Tx,
  { conversationId, personId, id }: Row,
  { messageId, text }: { messageId: string; text: string | null },
): Promise<RevisedLine[]> {
  const [called] = await tx.$queryRaw<{ companionId: string }[]>`
    SELECT companion_id AS "companionId" FROM turn_steps JOIN conversations USING (conversation_id)
    WHERE conversation_id = ${conversationId}::uuid AND turn_steps.person_id = ${personId}::uuid AND calls <> '[]'
      AND NOT EXISTS (SELECT 1 FROM turns WHERE turn_id = turn_steps.turn_id) LIMIT 1`;
  if (!called) return [];
  const turnId = turnIdOf(conversationId, id);
  // A line's first words have revision 0: notes of those may stay.
  const what = {
    source: messageId,
    turnId,
    companionId: called.companionId,
    revision: text === null ? null : 0,
  };
  return [await orderRevision(tx, personId, { kind: 'unanswered', ...what })];
}

/**
 * Marks a person's open messages in a conversation as not to be answered. Locks them in order, the first one first as a
 * turn's commit does, which prevents a deadlock.
 */
export async function stopMessages(
  database: Database,
  where: { conversationId: string; personId: string; at: Date },
): Promise<Changed | null> {
  const rows = await database.asPerson(
    where.personId,
    (tx) => tx.$queryRaw<Row[]>`
      UPDATE inbox SET revision = revision + 1, stopped_at = ${where.at}::timestamptz
      WHERE id = ANY(ARRAY(
        SELECT id FROM inbox
        WHERE conversation_id = ${where.conversationId}::uuid AND person_id = ${where.personId}::uuid
          AND origin = 'message' AND outcome IS NULL AND stopped_at IS NULL
        ORDER BY id FOR UPDATE))
      RETURNING id, conversation_id AS "conversationId", person_id AS "personId"`,
  );
  return summary(rows);
}

interface Row {
  id: bigint;
  conversationId: string;
  personId: string;
}

function summary(rows: Row[]): Changed | null {
  const [first] = rows;
  if (!first) return null;
  const { conversationId, personId, id } = first;
  return { conversationId, personId, inboxId: String(id), count: rows.length };
}
