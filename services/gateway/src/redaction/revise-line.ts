import { randomUUID } from 'node:crypto';
import { Uuid, type Door } from '@kith/contracts';
import { sql, toJsonb, type Database, type Tx } from '@kith/database';
import { z } from 'zod';
import { lostWords } from '../quotes/quote-finder.js';
import { withdrawQuestions } from './empty-calls.js';
import { conversationsOfPlaces, countChange, emptyLines, outdateLine } from './empty-lines.js';
import {
  conversationsQuoting,
  quotesElsewhere,
  quotesOf,
  recalledQuotes,
  repliesOf,
  type QuotedWithoutLine,
} from './reply-quotes.js';
import { turnsShown } from './clean-traces.js';
import { noteReplies } from './remove-lines.js';
import { mayRepeat, unseal, wasTold } from './sealed-replies.js';

/** Order to forget the old words of a message that was changed at its door. */
export const Revision = z.object({
  /** `unanswered`: changed before its answer, when only the companion's own notes could be derived from it. */
  kind: z.enum(['revision', 'unanswered']),
  source: z.string(),
  turnId: Uuid,
  companionId: z.string(),
  /** Revision from which on it may be remembered; null for a deleted message. */
  revision: z.int().nullable(),
});

/** Order to forget a line's old words everywhere else. */
export interface RevisedLine {
  orderId: string;
  personId: string;
}

/** Message with a turn. */
interface Row {
  inboxId: bigint;
  personId: string;
  conversationId: string;
  companionId: string;
  turnId: string;
  /** Null once retention has taken it. */
  lineId: bigint | null;
  /** Words of the line; without one those of the inbox, which go with time. */
  text: string;
  /** Reason why the line is withheld; without one `deleted` for a message that was. */
  withheld: string | null;
}

/** Edit (`text`) or deletion (null) of a message at its door. */
interface Change {
  door: Door;
  messageId: string;
  text: string | null;
}

/**
 * Applies an edit (`text`) or a deletion (null) at a door to an answered message: changes its line, and orders what was
 * derived from the old words to be forgotten, also where retention has taken the line: it does not come back. Removes
 * replies that repeat the old words, and the reply to a deleted message. Empties a message without a turn. Returns no
 * order for a message that is unknown or already reads so.
 */
export function reviseLine(database: Database, { door, messageId, text }: Change): Promise<RevisedLine[]> {
  // A deletion names the message and nothing else: whose it was has to be looked up.
  return database.asSystem(async (tx) => {
    const found = await find(tx, door, messageId);
    if (found.length > 0 && found.every((row) => isAsTold(row, text))) return [];
    for (const row of found) await outdateLine(tx, row);
    const said = await tx.$queryRaw<{ conversationId: string }[]>`
      SELECT conversation_id::text AS "conversationId" FROM inbox
      WHERE external_id = ${messageId} AND door = ${door} AND origin = 'message' AND outcome IS NOT NULL`;
    if (said.length === 0) return [];
    const quoted = said.map(({ conversationId }) => ({ door, messageId, conversationId }));
    await countChange(tx, sql`conversation_id IN (${conversationsQuoting(quoted)})`);
    // After the conversations: orders and the end of private talk lock messages with an outcome in this order, too.
    const unheard = await emptyUnheard(tx, { door, messageId, text }, quoted);
    // Read again under the locks, to see what was committed meanwhile.
    const rows = await find(tx, door, messageId);
    const revised = unheard ? [unheard] : [];
    for (const row of rows) {
      if (isAsTold(row, text)) continue;
      revised.push(await revise(tx, row, { door, messageId, text }));
    }
    return revised;
  });
}

/** True for a message that the change leaves as it is, such as one that was pinned, or is deleted for good. */
function isAsTold(line: Pick<Row, 'text' | 'withheld'>, text: string | null): boolean {
  return line.withheld === 'deleted' || (line.withheld === null && line.text === text);
}

/**
 * Empties a message that has an outcome and no turn: nobody could answer it. Somebody may have quoted it: replies to them
 * that repeat it go, with what was derived from them.
 */
async function emptyUnheard(tx: Tx, { door, messageId, text }: Change, quoted: readonly QuotedWithoutLine[]) {
  const [first] = await tx.$queryRaw<Pick<Row, 'text' | 'personId' | 'turnId' | 'companionId'>[]>`
    WITH old AS (
      SELECT id, text FROM inbox
      WHERE external_id = ${messageId} AND door = ${door} AND origin = 'message' AND outcome IS NOT NULL AND text <> ''
        AND turn_id IS NULL
      ORDER BY id FOR UPDATE)
    UPDATE inbox SET text = '' FROM old, conversations
    WHERE inbox.id = old.id AND inbox.conversation_id = conversations.conversation_id
    RETURNING old.text, inbox.person_id AS "personId", companion_id AS "companionId",
      gen_random_uuid()::text AS "turnId"`;
  if (!first) return null;
  const { personId, text: old, ...ids } = first;
  const lost = lostWords([old], text);
  const quotes = await quotesElsewhere(tx, quoted, lost);
  await unseal(tx, wasTold([], quoted), lost);
  if (quotes.length === 0) return null;
  await emptyLines(tx, quotes, text === null ? 'deleted' : 'edited');
  const what = { source: messageId, ...ids, revision: text === null ? null : 0 };
  const order = await orderRevision(tx, personId, { kind: 'unanswered', ...what });
  await noteReplies(tx, order.orderId, quotes, []);
  return order;
}

function find(tx: Tx, door: Door, messageId: string): Promise<Row[]> {
  return tx.$queryRaw<Row[]>`
    SELECT inbox.id AS "inboxId", inbox.person_id AS "personId", inbox.conversation_id AS "conversationId",
      turns.companion_id AS "companionId", inbox.turn_id AS "turnId", line.id AS "lineId",
      coalesce(line.text, inbox.text) AS text,
      CASE WHEN line.id IS NOT NULL THEN line.withheld WHEN deleted_at IS NOT NULL THEN 'deleted' END AS withheld
    FROM inbox JOIN turns USING (turn_id)
    LEFT JOIN transcript AS line
      ON line.turn_id = inbox.turn_id AND line.external_id = inbox.external_id AND line.role = 'person'
    WHERE inbox.external_id = ${messageId} AND inbox.door = ${door} AND inbox.origin = 'message'`;
}

async function revise(tx: Tx, row: Row, { door, messageId: source, text }: Change): Promise<RevisedLine> {
  const { inboxId, personId, companionId, turnId, lineId, conversationId } = row;
  const shown = await turnsShown(tx, personId, source);
  const lost = lostWords(await oldWords(tx, row, shown), text);
  const quotes =
    lineId !== null
      ? await quotesOf(tx, [{ id: lineId, turnId, conversationId }], new Map([[lineId, lost]]), text === null)
      : text === null
        ? await repliesOf(tx, [turnId])
        : [];
  const shownIn = shown.map((one) => one.turnId);
  quotes.push(...(await recalledQuotes(tx, shownIn, lost)));
  const quoted = [{ door, messageId: source, conversationId }];
  quotes.push(...(await quotesElsewhere(tx, quoted, lost)));
  await emptyLines(tx, quotes, text === null ? 'deleted' : 'edited');
  // Tool questions that wait for an answer were asked because of the old words.
  await tx.toolCall.deleteMany({ where: { turnId, status: 'waiting' } });
  await withdrawQuestions(tx, personId, conversationsOfPlaces([conversationId]), lost);
  // An undo must not restore words that are gone at their door, nor a reply that repeats them.
  if (lineId !== null) await tx.sealedLine.deleteMany({ where: { lineId } });
  await unseal(tx, mayRepeat({ ...row, id: lineId ?? 0n }), lost, text === null ? turnId : null);
  await unseal(tx, wasTold([], quoted), lost);
  const message = await tx.inboxMessage.update({
    where: { id: inboxId },
    data: { text: '', revision: { increment: 1 }, ...(text === null && { deletedAt: new Date() }) },
    select: { revision: true },
  });
  // A message's revision rises with its line's: without one it is no lower.
  const { revision } = lineId === null ? message : await reviseWords(tx, lineId, row, text);
  const kept = text === null ? null : revision;
  const what = { kind: 'revision' as const, source, turnId, companionId, revision: kept };
  const order = await orderRevision(tx, personId, what);
  await noteReplies(tx, order.orderId, quotes, [turnId]);
  return order;
}

/** Reads a message's old words. Those of a line that is gone are known from memories that turns were shown of them. */
async function oldWords(tx: Tx, { lineId, text }: Row, shown: readonly { text: string | null }[]) {
  const others =
    lineId === null ? shown : await tx.sealedLine.findMany({ where: { lineId }, select: { text: true } });
  return [text, ...others.map((one) => one.text ?? '')];
}

/** Changes the words of a line. Returns its revision. */
function reviseWords(tx: Tx, id: bigint, row: Pick<Row, 'text' | 'withheld'>, text: string | null) {
  const isWithheld = row.withheld === 'forgotten' || row.withheld === 'private';
  // Private lines are emptied when private talk ends, and no edit restores them.
  const isEmptied = row.withheld === 'forgotten' || (row.withheld === 'private' && row.text === '');
  return tx.transcriptMessage.update({
    where: { id },
    data: {
      text: text === null || isEmptied ? '' : text,
      withheld: text === null ? 'deleted' : isWithheld ? row.withheld : null,
      revision: { increment: 1 },
    },
    select: { revision: true },
  });
}

/** Stores an order to forget what was derived from a message's old words. */
export async function orderRevision(
  tx: Tx,
  personId: string,
  what: z.output<typeof Revision>,
): Promise<RevisedLine> {
  const orderId = randomUUID();
  await tx.$executeRaw`
    INSERT INTO forget_orders (id, person_id, companion_id, reason, what)
    VALUES (${orderId}::uuid, ${personId}::uuid, ${what.companionId},
      ${what.revision === null ? 'deleted' : 'edited'}, ${toJsonb(what)}::jsonb)`;
  return { orderId, personId };
}
