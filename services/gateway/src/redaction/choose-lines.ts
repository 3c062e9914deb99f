import { type Door, type ForgetNamed, MAX_TURNS_ASKED } from '@kith/contracts';
import { columnOf, sql, type Reader, type Sql, type Tx } from '@kith/database';
import type { SaidLine } from '../quotes/quote-finder.js';
import type { QuotedWithoutLine } from './reply-quotes.js';

export const hasLine = sql`EXISTS (
  SELECT 1 FROM transcript AS line WHERE line.turn_id = inbox.turn_id AND line.external_id = inbox.external_id)`;

/** Choice of lines of a person. */
export interface LineChoice {
  personId: string;
  companionId: string | null;
  /** Lines of these messages, lines said within a period, or all lines of turns begun before a time. */
  what: { sources: string[] } | { from: Date; to: Date } | { before: Date };
}

/** A person's line that an order names. */
export interface ChosenLine extends SaidLine {
  conversationId: string;
  messageId: string | null;
  door: Door;
  at: Date;
  withheld: string | null;
}

/** Tells which lines an order is about. */
export function linesOf(what: ForgetNamed, sources: readonly string[], at: Date): LineChoice['what'] {
  switch (what.kind) {
    case 'all':
      return { before: at };
    case 'period':
      return { from: new Date(what.from), to: new Date(what.to) };
    case 'sources':
      return { sources: [...new Set([...what.sources, ...sources])] };
    case 'ids':
      return { sources: [...sources] };
  }
}

/** Finds the person's own lines that are named, in order. */
export async function chooseLines(
  tx: Tx,
  { personId, companionId, what }: LineChoice,
): Promise<ChosenLine[]> {
  const turns =
    'sources' in what
      ? sql`turns.turn_id = ANY (${await turnsOf(tx, personId, what.sources)}::uuid[])
          AND line.external_id = ANY (${what.sources}::text[])`
      : 'before' in what
        ? sql`turns.started_at <= ${what.before}`
        : sql`line.at >= ${what.from} AND line.at < ${what.to}`;
  return tx.$queryRaw<ChosenLine[]>`
    SELECT line.id, line.turn_id AS "turnId", line.conversation_id AS "conversationId", line.role, line.text,
      line.external_id AS "messageId", turns.door, line.at, line.withheld
    FROM turns JOIN transcript AS line USING (turn_id)
    WHERE turns.person_id = ${personId}::uuid AND line.role = 'person' AND ${turns}
      AND (${companionId}::text IS NULL OR turns.companion_id = ${companionId})
    ORDER BY line.id`;
}

/**
 * Marks the person's named messages that have no committed turn: their lines will be written without words, and sealed for
 * an undo. Waits for a turn that is being committed; `chooseLines` finds its lines. Returns the messages' ids at their
 * doors. Safe to repeat.
 */
export function markOpen(tx: Tx, orderId: string, choice: LineChoice) {
  // A message that an earlier order has marked stays with that order, as its sealed lines do.
  return columnOf(tx)`
    UPDATE inbox SET forgotten_by = coalesce(forgotten_by, ${orderId}::uuid) WHERE id = ANY (ARRAY(
      SELECT inbox.id FROM inbox JOIN conversations USING (conversation_id)
      WHERE ${names(choice)} AND outcome IS NULL AND origin = 'message'
      ORDER BY inbox.id FOR UPDATE OF inbox))
    RETURNING external_id`;
}

/**
 * Empties the person's named inbox rows that have an outcome, outreach of that time included, and also messages without a
 * line, which a hook refused or nobody could answer.
 */
export async function emptyEnded(tx: Tx, choice: LineChoice): Promise<void> {
  await tx.$executeRaw`
    UPDATE inbox SET text = '' FROM conversations
    WHERE inbox.conversation_id = conversations.conversation_id AND ${names(choice)} AND outcome IS NOT NULL AND text <> ''`;
}

/** Message that has no line: it waits, a hook refused it, or nobody could answer it. */
export interface MessageWithoutLine extends QuotedWithoutLine {
  messageId: string;
  text: string;
  at: Date;
  isWaiting: boolean;
  /** An order has named it. */
  isNamed: boolean;
}

/** Message of a turn that has no line any more, as retention takes lines: what was made of it may be left. */
export interface LostLine extends QuotedWithoutLine {
  messageId: string;
  turnId: string;
}

/** Finds the person's named messages that have a turn and no line: the inbox and the turns outlast the transcript. */
export function chooseLost(tx: Tx, { personId, companionId, what }: LineChoice): Promise<LostLine[]> {
  const isNamed = 'before' in what ? sql`turns.started_at <= ${what.before}` : namesMessage(what);
  return tx.$queryRaw<LostLine[]>`
    SELECT inbox.door, inbox.external_id AS "messageId", inbox.conversation_id::text AS "conversationId",
      inbox.turn_id::text AS "turnId"
    FROM inbox JOIN turns USING (turn_id)
    WHERE inbox.person_id = ${personId}::uuid AND inbox.origin = 'message' AND ${isNamed} AND (deleted_at IS NULL OR ${'sources' in what})
      AND (${companionId}::text IS NULL OR turns.companion_id = ${companionId}) AND NOT ${hasLine}
    ORDER BY inbox.id`;
}

/** Finds the person's named messages that have words and no line, in order. Others may have quoted them. */
export function chooseUnlined(tx: Tx, choice: LineChoice): Promise<MessageWithoutLine[]> {
  return tx.$queryRaw<MessageWithoutLine[]>`
    SELECT inbox.door, inbox.external_id AS "messageId", conversation_id::text AS "conversationId", text,
      sent_at AS at, outcome IS NULL AS "isWaiting", forgotten_by IS NOT NULL AS "isNamed"
    FROM inbox JOIN conversations USING (conversation_id)
    WHERE ${names(choice)} AND origin = 'message' AND text <> '' AND NOT ${hasLine}
    ORDER BY inbox.id`;
}

/** Days after which memory has surely read a turn: an outage takes hours, and an operator's retry a day. */
const READ_WITHIN_DAYS = 2;

/**
 * Finds the answered messages of a choice that memory may not have read yet. Until it has, it can find the companion's
 * notes of a message by the message's id alone.
 */
export function perhapsUnread(reader: Reader, choice: LineChoice) {
  return columnOf(reader)`
    SELECT inbox.external_id FROM inbox JOIN conversations USING (conversation_id)
    WHERE ${names(choice)} AND outcome IS NOT NULL AND turn_id IS NOT NULL AND origin = 'message'
      AND ended_at > now() - ${READ_WITHIN_DAYS} * interval '1 day'`;
}

/** Finds the latest turns with a person that began after a time. */
export function turnsBegunAfter(
  reader: Reader,
  { personId, companionId }: Pick<LineChoice, 'personId' | 'companionId'>,
  at: Date,
): Promise<string[]> {
  return columnOf(reader)`
    SELECT turn_id::text FROM turns
    WHERE person_id = ${personId}::uuid AND started_at > ${at}
      AND (${companionId}::text IS NULL OR companion_id = ${companionId})
    ORDER BY started_at DESC LIMIT ${MAX_TURNS_ASKED}`;
}

/** SQL that tells whether a choice names a message of the inbox, beside its conversation. */
function names({ personId, companionId, what }: LineChoice): Sql {
  return sql`inbox.person_id = ${personId}::uuid AND ${namesMessage(what)}
    AND (${companionId}::text IS NULL OR companion_id = ${companionId})`;
}

/** SQL that tells whether a choice's sources or time are those of a message of the inbox. */
function namesMessage(what: LineChoice['what']): Sql {
  if ('sources' in what) return sql`inbox.external_id = ANY (${what.sources}::text[])`;
  if ('before' in what) return sql`sent_at <= ${what.before}`;
  return sql`sent_at >= ${what.from} AND sent_at < ${what.to}`;
}

/** Finds the turns in which these messages of a person were said. */
export function turnsOf(reader: Reader, personId: string, messageIds: readonly string[]): Promise<string[]> {
  return columnOf(reader)`
    SELECT DISTINCT turn_id::text FROM inbox
    WHERE external_id = ANY (${[...messageIds]}::text[]) AND person_id = ${personId}::uuid AND turn_id IS NOT NULL`;
}
