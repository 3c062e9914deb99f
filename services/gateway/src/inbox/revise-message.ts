import type { Door, SentPicture } from '@kith/contracts';
import { toJsonb, type Database, type Tx } from '@kith/database';
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

/** Open message that has other words now, or none. */
export interface Revised extends Changed {
  /** Orders to forget what the companion noted of its old words while it thought about an answer. */
  orders: RevisedLine[];
}

/**
 * Takes up that a message was edited (`text`) or deleted (null) at its door before it was answered. Of a deleted one no
 * text stays, and of an edited one no picture that it has no longer. Returns null when it is unknown or has its outcome:
 * then its line is revised (`revise-line.ts`).
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
    // By a statement of its own: with new words a message loses its pictures, which a trigger sees to.
    if (change.text !== null && change.pictures?.length)
      await tx.$executeRaw`
        UPDATE inbox SET pictures = ${toJsonb(change.pictures)}::jsonb WHERE id = ANY (${changed.map(({ id }) => id)}::bigint[])`;
    const orders: RevisedLine[] = [];
    for (const row of changed) {
      orders.push(...(await orderForNotes(tx, row, change)));
      // What its turn has thought and called so far was for the words before.
      await emptySteps(tx, row.personId);
    }
    const revised = summary(changed);
    return revised && { ...revised, orders };
  });
}

/** Orders what was noted of an open message to be forgotten, where its turn has called anything. */
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
  // A line begins with the words of its first answer: those may be kept.
  const what = {
    source: messageId,
    turnId,
    companionId: called.companionId,
    revision: text === null ? null : 0,
  };
  return [await orderRevision(tx, personId, { kind: 'unanswered', ...what })];
}

/**
 * Stops the messages of a person who wants no answer to what they said here so far. The first is locked first, as a
 * turn's commit does it, so that neither waits for the other for ever.
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
