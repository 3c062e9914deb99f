import type { Door, SentPicture } from '@kith/contracts';
import { sql, toJsonb, type Database, type Tx } from '@kith/database';
import type { Speaker } from '../conversations/conversations.js';
import { countChange, emptyLines, emptySteps } from '../redaction/empty-lines.js';
import { noteReplies } from '../redaction/remove-lines.js';
import { lostWords } from '../quotes/quote-finder.js';
import { conversationsQuoting, quotesElsewhere } from '../redaction/reply-quotes.js';
import { orderRevision, type RevisedLine } from '../redaction/revise-line.js';
import { unseal, wasTold } from '../redaction/sealed-replies.js';
import { turnIdOf } from '../signals/turn-id-of.js';

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
export interface ChangedMessages extends Speaker {
  /** Id of one of the messages, by which a turn is dispatched. */
  inboxId: string;
  /** Number of them; 0 for an edit that leaves all as it was. */
  count: number;
}

/**
 * Applies an edit (`text`) or a deletion (null) at a door to a message without an outcome. Clears the text of a deleted
 * message, and pictures that an edited one no longer has. An edit that leaves words and pictures changes nothing: a door
 * tells of a pin or a link that unfolds as well. Returns null for a message that is unknown or has an outcome:
 * `reviseLine` revises its line. Its orders are to forget what was derived from the old words: notes made while it thought,
 * and replies that quoted them.
 */
export async function reviseMessage(database: Database, change: MessageChange) {
  // A deletion names the message and nothing else: whose it was has to be looked up.
  return database.asSystem(async (tx) => {
    const found = await findOpen(tx, change);
    const changed = found.filter(({ isChanged }) => isChanged);
    const [first] = changed;
    if (!first) return found[0] ? { ...summary(found[0], 0), orders: [] } : null;
    const ids = changed.map(({ id }) => id);
    await tx.$executeRaw`
      UPDATE inbox SET revision = revision + 1, text = ${change.text ?? ''}, pictures = NULL,
        deleted_at = ${change.text === null ? change.at : null}::timestamptz
      WHERE id = ANY (${ids}::bigint[])`;
    // In a second statement: a trigger clears the pictures of a message whose words change.
    if (change.text !== null && change.pictures?.length)
      await tx.$executeRaw`
        UPDATE inbox SET pictures = ${toJsonb(change.pictures)}::jsonb WHERE id = ANY (${ids}::bigint[])`;
    // Whoever quotes it may be answered just now, or was answered already, by a reply that was told its old words.
    const quoted = changed.map(({ conversationId }) => ({ ...change, conversationId }));
    const quoting = sql`
      SELECT conversation_id FROM inbox
      WHERE outcome IS NULL AND door = ${change.door} AND quote ->> 'messageId' = ${change.messageId}`;
    await countChange(tx, sql`conversation_id IN (${conversationsQuoting(quoted)})`);
    const lost = lostWords([first.oldText], change.text);
    const quotes = await quotesElsewhere(tx, quoted, lost);
    await unseal(tx, wasTold([], quoted), lost);
    await emptyLines(tx, quotes, change.text === null ? 'deleted' : 'edited');
    const orders: RevisedLine[] = [];
    for (const row of changed) {
      const order = await orderForNotes(tx, row, change, quotes.length > 0);
      if (order) {
        await noteReplies(tx, order.orderId, quotes, []);
        orders.push(order);
      }
      // The turn's thoughts and calls so far belong to the old words.
      await emptySteps(tx, row.personId, quoting);
    }
    return { ...summary(first, changed.length), orders };
  });
}

/**
 * Reads and locks a message without an outcome, in each conversation that has it. Its pictures are compared by their
 * number: their addresses are new each time, and an edit can only take some away.
 */
function findOpen(tx: Tx, { door, messageId, text, pictures = [] }: MessageChange): Promise<OpenRow[]> {
  return tx.$queryRaw<OpenRow[]>`
    SELECT id, conversation_id AS "conversationId", person_id AS "personId", text AS "oldText",
      text IS DISTINCT FROM ${text}::text
        OR coalesce(jsonb_array_length(jsonb_path_query_array(pictures, '$[*]')), 0) <> ${pictures.length}::int
        AS "isChanged"
    FROM inbox
    WHERE external_id = ${messageId} AND door = ${door} AND origin = 'message' AND outcome IS NULL
      AND deleted_at IS NULL
    ORDER BY id FOR UPDATE`;
}

/**
 * Orders what was derived from an open message to be forgotten, if there may be any: the companion's notes where its turn
 * has called a tool, and what was made of replies that quoted it.
 */
async function orderForNotes(
  tx: Tx,
  { conversationId, personId, id }: Row,
  { messageId, text }: { messageId: string; text: string | null },
  isRepeated: boolean,
): Promise<RevisedLine | null> {
  const [place] = await tx.$queryRaw<{ companionId: string; hasCalled: boolean }[]>`
    SELECT companion_id AS "companionId", EXISTS (
      SELECT 1 FROM turn_steps
      WHERE turn_steps.conversation_id = ${conversationId}::uuid AND turn_steps.person_id = ${personId}::uuid
        AND calls <> '[]' AND NOT EXISTS (SELECT 1 FROM turns WHERE turn_id = turn_steps.turn_id)) AS "hasCalled"
    FROM conversations WHERE conversation_id = ${conversationId}::uuid`;
  if (!place || !(place.hasCalled || isRepeated)) return null;
  const turnId = turnIdOf(conversationId, id);
  // A line's first words have revision 0: notes of those may stay.
  const what = {
    source: messageId,
    turnId,
    companionId: place.companionId,
    revision: text === null ? null : 0,
  };
  return orderRevision(tx, personId, { kind: 'unanswered', ...what });
}

/**
 * Marks a person's open messages in a conversation as not to be answered. Locks them in order, the first one first as a
 * turn's commit does, which prevents a deadlock.
 */
export async function stopMessages(
  database: Database,
  where: Speaker & { at: Date },
): Promise<ChangedMessages | null> {
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
  const [first] = rows;
  return first ? summary(first, rows.length) : null;
}

interface Row extends Speaker {
  id: bigint;
}

interface OpenRow extends Row {
  /** Text before the change. */
  oldText: string;
  isChanged: boolean;
}

function summary({ conversationId, personId, id }: Row, count: number): ChangedMessages {
  return { conversationId, personId, inboxId: String(id), count };
}
