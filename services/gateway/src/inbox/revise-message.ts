import type { Door } from '@kith/contracts';
import type { Database } from '@kith/database';
import { emptySteps } from '../forgetting/empty-steps.js';

/** Open messages that were changed. */
export interface Changed {
  conversationId: string;
  personId: string;
  /** Id of one of the messages, by which a turn is dispatched. */
  inboxId: string;
  count: number;
}

/**
 * Takes up that a message was edited (`text`) or deleted (null) at its door before it was answered. Of a deleted one no
 * text stays. Returns null when it is unknown or has its outcome: then its line is revised (`revise-line.ts`).
 */
export async function reviseMessage(
  database: Database,
  change: { door: Door; messageId: string; text: string | null; at: Date },
): Promise<Changed | null> {
  // A deletion names the message and nothing else: whose it was has to be looked up.
  const rows = await database.asSystem(async (tx) => {
    const changed = await tx.$queryRaw<Row[]>`
      UPDATE inbox SET revision = revision + 1, text = ${change.text ?? ''},
        deleted_at = ${change.text === null ? change.at : null}::timestamptz
      WHERE external_id = ${change.messageId} AND door = ${change.door} AND origin = 'message'
        AND outcome IS NULL AND deleted_at IS NULL
      RETURNING id, conversation_id AS "conversationId", person_id AS "personId"`;
    // What its turn has thought and called so far was for the words before.
    for (const { personId } of changed) await emptySteps(tx, personId);
    return changed;
  });
  return summary(rows);
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
