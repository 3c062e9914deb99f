import { erasedError, ForgetNamed, type TalkLine } from '@kith/contracts';
import { sql, type Database, type ForgetOrderModel, type Tx } from '@kith/database';
import { z } from 'zod';
import {
  chooseLines,
  emptyEnded,
  linesOf,
  markOpen,
  turnsOf,
  type ChosenLine,
  type LineChoice,
} from './choose-lines.js';
import { deleteCalls } from './delete-calls.js';
import { cleanTraces, placesShown, type Remembered } from './clean-traces.js';
import { deadlineOf, quotesOf, recalledQuotes, wordsOfAll, wordsOfLines } from './reply-quotes.js';
import { emptyLines, lockReplies, outdateLine, outdateReplies, sealLines } from './empty-lines.js';
import { notedReplies, noteReplies } from './note-replies.js';
import { stillTaken, unsealRecalled } from './sealed-replies.js';

/** Lines that went with an order, and what they belong to. */
export interface Touched {
  lines: number;
  turnIds: string[];
  messageIds: string[];
  /** Other turns, whose replies went because they repeat them. */
  replyTurnIds: string[];
}

/** Lines that are told again after an undo. */
interface Restored extends Omit<Touched, 'messageIds'> {
  /** Turns of both whose replies stay away. */
  silentTurnIds: string[];
}

/** Lines that a preview shows: more than a person reads before they decide. */
const MAX_SHOWN = 20;

/** Takes lines of the transcript out of use, and puts them back. */
export class TranscriptRedactor {
  constructor(private readonly database: Database) {}

  /** Shows the lines that would go, the newest first. */
  async preview(choice: LineChoice): Promise<{ lines: number; talk: TalkLine[] }> {
    const chosen = await this.database.asPerson(choice.personId, (tx) => chooseLines(tx, choice));
    const told = chosen.filter(({ withheld }) => withheld === null);
    return {
      lines: told.length,
      talk: told
        .toReversed()
        .slice(0, MAX_SHOWN)
        .map(({ text, at }) => ({ role: 'person', text, at: at.toISOString() })),
    };
  }

  /** Finds the turns in which these messages were said. */
  turnsOf(personId: string, messageIds: readonly string[]): Promise<string[]> {
    return this.database.asPerson(personId, (tx) => turnsOf(tx, personId, messageIds));
  }

  /**
   * Marks messages that are named and whose turn is under way or still to come: their lines will be written without
   * words, and sealed for an undo. Returns their ids at their doors. Safe to repeat.
   */
  forgetOpen(orderId: string, choice: LineChoice): Promise<string[]> {
    // A channel is nobody's own.
    return this.database.asSystem((tx) => markOpen(tx, orderId, choice));
  }

  /**
   * Takes lines out of use, with the replies to them and what repeats them, and takes what was remembered of them out
   * of traces. The words are sealed until `until`; without it they are gone. Nobody's turn that is under way keeps a
   * reply that was written with them. Safe to repeat.
   */
  forget(
    order: { orderId: string; until: Date | null; keepTalk: boolean },
    choice: LineChoice,
    remembered: Remembered,
  ): Promise<Touched> {
    const { personId } = choice;
    return this.database.asSystem(async (tx) => {
      await outdateReplies(tx, personId, order.keepTalk ? [] : await placesOf(tx, choice, remembered));
      if ('sources' in choice.what) await noteSources(tx, order.orderId, choice.what.sources);
      const chosen = await chooseLines(tx, choice);
      const touched = {
        turnIds: [...new Set(chosen.map(({ turnId }) => turnId))],
        messageIds: chosen.flatMap(({ messageId }) => messageId ?? []),
      };
      const recalled = await cleanTraces(tx, personId, remembered);
      const lines = order.keepTalk ? 0 : await takeOut(tx, { ...order, personId }, chosen, recalled);
      if (!order.keepTalk) {
        await deleteCalls(tx, choice);
        await emptyEnded(tx, choice);
      }
      return { ...touched, lines, replyTurnIds: await notedReplies(tx, order.orderId) };
    });
  }

  /**
   * Takes what memory had made of a message's old words out of traces, with the replies that repeat it. Until memory had
   * removed it, turns were shown it, though the line was changed already: a reply since the order goes whole, as that of
   * a turn under way does. Carried out again, the order takes no reply from after its first time: those were told what
   * memory made of the new words. Returns the turns whose replies went, of the line's own revision too.
   */
  revise(
    order: { orderId: string; personId: string; at: Date; reason: 'deleted' | 'edited' },
    { memoryIds, source, turnId }: { memoryIds: readonly string[]; source: string; turnId: string },
  ): Promise<string[]> {
    return this.database.asSystem(async (tx) => {
      const { orderId, personId, at, reason } = order;
      const [said] = await tx.$queryRaw<{ conversationId: string }[]>`
        SELECT conversation_id::text AS "conversationId" FROM inbox
        WHERE person_id = ${personId}::uuid AND external_id = ${source} LIMIT 1`;
      if (said) await outdateLine(tx, { ...said, personId });
      else await outdateReplies(tx, personId);
      const [first] = await tx.$queryRaw<{ cleanedAt: Date }[]>`
        UPDATE forget_orders
        SET what = jsonb_build_object('cleanedAt', clock_timestamp()) || what WHERE id = ${orderId}::uuid
        RETURNING (what ->> 'cleanedAt')::timestamptz AS "cleanedAt"`;
      const { turnIds, texts } = await cleanTraces(tx, personId, { memoryIds, sources: [source] });
      const since = await tx.$queryRaw<{ id: bigint; turnId: string }[]>`
        SELECT line.id, turn_id::text AS "turnId" FROM turns JOIN transcript AS line USING (turn_id)
        WHERE turn_id = ANY (${turnIds}::uuid[]) AND ended_at >= ${at} AND ended_at <= ${first?.cleanedAt ?? new Date()}
          AND role = 'companion' AND line.text <> ''`;
      const words = await wordsOfAll(tx, texts);
      // An edit may change one word of many that memories hold: earlier replies were compared with what it took.
      const turns = reason === 'deleted' ? turnIds : since.map(({ turnId }) => turnId);
      const quotes = await recalledQuotes(tx, turns, words);
      await unsealRecalled(tx, turns, words);
      const ids = [...since.map(({ id }) => id), ...quotes];
      await emptyLines(tx, ids, reason);
      return noteReplies(tx, orderId, ids, [turnId]);
    });
  }

  /**
   * Puts the words of an order back, which stay sealed beside, but for those that a later order names or that repeat what
   * it took. Returns the turns they are of, those whose replies had gone because they repeat them, those whose replies
   * stay away, and how many lines are told again: the same when it is repeated.
   * @throws AppError that `isErased` knows: of who was erased nothing comes back
   */
  undo(personId: string, orderId: string): Promise<Restored> {
    return this.database.asSystem(async (tx) => {
      // Waits for turns that are being committed, whose lines are sealed then. All open messages first, as a commit locks
      // its own before conversations: a later order may name any of them.
      await tx.$executeRaw`
        SELECT id FROM inbox WHERE person_id = ${personId}::uuid AND outcome IS NULL ORDER BY id FOR UPDATE`;
      // An erasure takes its lock behind those messages as well, and finds what was put back before.
      await tx.$executeRaw`
        SELECT 1 FROM (SELECT pg_advisory_xact_lock_shared(kith_erasure_lock(${personId}::uuid))) AS held`;
      if (await tx.erasure.findUnique({ where: { erasedId: personId } })) throw erasedError(undefined);
      await tx.$executeRaw`
        UPDATE inbox SET forgotten_by = NULL
        WHERE person_id = ${personId}::uuid AND outcome IS NULL AND forgotten_by = ${orderId}::uuid`;
      const sealed = sql`sealed_lines AS sealed
        WHERE sealed.order_id = ${orderId}::uuid AND sealed.person_id = ${personId}::uuid AND sealed.until > now()
          AND line.id = sealed.line_id`;
      // An edit or a deletion that is under way takes its seals first, or sees what is put back.
      await tx.$executeRaw`
        SELECT 1 FROM conversations WHERE conversation_id IN (
          SELECT conversation_id FROM sealed_lines JOIN transcript AS line ON line.id = line_id
          WHERE order_id = ${orderId}::uuid)
        ORDER BY conversation_id FOR UPDATE`;
      // Locks replies before their lines, as a delivery does.
      await lockReplies(tx, sql`id IN (SELECT line_id FROM sealed_lines WHERE order_id = ${orderId}::uuid)`);
      // Once: begun again, it brings nothing back that somebody else's order took since.
      const [begun] = await tx.$queryRaw<unknown[]>`
        SELECT 1 FROM forget_orders WHERE id = ${orderId}::uuid AND jsonb_exists(what, 'linesBack')`;
      if (!begun)
        await tx.$executeRaw`
          UPDATE transcript AS line SET text = sealed.text, withheld = CASE WHEN ${neverArrived} THEN 'undelivered' END
          FROM ${sealed} AND line.withheld = 'forgotten'`;
      await tx.$executeRaw`
        UPDATE forget_orders SET what = what || '{"linesBack": true}' WHERE id = ${orderId}::uuid`;
      await keepForgotten(tx, personId, orderId);
      await tx.$executeRaw`
        UPDATE outbox SET forgotten_at = NULL FROM transcript AS line, ${sealed}
          AND line.withheld IS NULL AND line.role = 'companion' AND outbox.turn_id = line.turn_id`;
      const rows = await tx.$queryRaw<{ turnId: string; isTold: boolean }[]>`
        SELECT line.turn_id::text AS "turnId", line.withheld IS NULL AS "isTold" FROM transcript AS line, ${sealed}`;
      const turnIds = [...new Set(rows.map(({ turnId }) => turnId))];
      const replyTurnIds = await notedReplies(tx, orderId);
      const silent = await tx.$queryRaw<{ turnId: string }[]>`
        SELECT DISTINCT turn_id::text AS "turnId" FROM transcript
        WHERE turn_id = ANY (${[...turnIds, ...replyTurnIds]}::uuid[]) AND role = 'companion' AND withheld IS NOT NULL`;
      return {
        lines: rows.filter(({ isTold }) => isTold).length,
        ...{ turnIds, replyTurnIds, silentTurnIds: silent.map(({ turnId }) => turnId) },
      };
    });
  }

  /**
   * Takes back what the companion started, or meant to, for a reason that is forgotten. Returns how many lines went.
   */
  async forgetStarted(
    { orderId, personId, until }: { orderId: string; personId: string; until: Date | null },
    attemptIds: readonly string[],
  ): Promise<number> {
    if (attemptIds.length === 0) return 0;
    return this.database.asSystem(async (tx) => {
      // Stored with the order: an attempt that is heard of later is not carried out.
      await tx.$executeRaw`
        UPDATE forget_orders SET what = what || jsonb_build_object('attemptIds', ${[...attemptIds]}::text[])
        WHERE id = ${orderId}::uuid`;
      await tx.$executeRaw`
        UPDATE inbox SET text = '', revision = revision + CASE WHEN outcome IS NULL THEN 1 ELSE 0 END,
          deleted_at = CASE WHEN outcome IS NULL THEN now() ELSE deleted_at END
        WHERE person_id = ${personId}::uuid AND origin = 'outreach' AND external_id = ANY (${[...attemptIds]}::text[])`;
      const rows = await tx.$queryRaw<{ id: bigint }[]>`
        SELECT line.id FROM inbox JOIN transcript AS line USING (turn_id)
        WHERE inbox.person_id = ${personId}::uuid AND inbox.origin = 'outreach'
          AND inbox.external_id = ANY (${[...attemptIds]}::text[]) AND line.withheld IS NULL`;
      const ids = rows.map(({ id }) => id);
      if (until !== null) await sealLines(tx, { orderId, personId, until }, ids);
      await emptyLines(tx, ids, 'forgotten');
      return ids.length;
    });
  }
}

/** SQL that tells whether a line is of a reply that was given up before any of it arrived. */
const neverArrived = sql`line.role = 'companion' AND EXISTS (
  SELECT 1 FROM outbox WHERE outbox.turn_id = line.turn_id AND status IN ('failed', 'dropped')
    AND coalesce(platform_ids, '{}') = '{}')`;

/**
 * Finds where lines may go, which others' prompts may hold: conversations with a line that is named and has its words,
 * or with a turn that was shown what was remembered.
 */
async function placesOf(tx: Tx, choice: LineChoice, remembered: Remembered): Promise<string[]> {
  const lines = await chooseLines(tx, choice);
  const told = lines.filter(({ text }) => text !== '').map(({ conversationId }) => conversationId);
  return [...new Set([...told, ...(await placesShown(tx, choice.personId, remembered))])];
}

/** Takes lines out of use, with what repeats them and what was recalled of them. Returns how many. */
async function takeOut(
  tx: Tx,
  order: { orderId: string; personId: string; until: Date | null },
  chosen: readonly ChosenLine[],
  recalled: { turnIds: readonly string[]; texts: readonly string[] } = { turnIds: [], texts: [] },
): Promise<number> {
  const fresh = chosen.filter(({ text }) => text !== '');
  const gone = await wordsOfLines(fresh, deadlineOf(tx));
  const quotes = await quotesOf(tx, fresh, gone, true);
  const told = await wordsOfAll(tx, recalled.texts);
  const words = new Set([...gone.values(), told].flatMap((some) => [...some]));
  quotes.push(...(await recalledQuotes(tx, recalled.turnIds, words)));
  const ids = [...new Set([...fresh.map(({ id }) => id), ...quotes])];
  if (order.until !== null) await sealLines(tx, { ...order, until: order.until }, ids);
  await emptyLines(tx, ids, 'forgotten');
  const ownTurnIds = chosen.map(({ turnId }) => turnId);
  await noteReplies(tx, order.orderId, quotes, ownTurnIds);
  return ids.length;
}

/** Messages from which came what an order names by its ids. */
const NotedSources = z.object({ lineSources: z.array(z.string()).default([]) });

/** Notes them with the order: once memory has forgotten, nothing else tells them. */
async function noteSources(tx: Tx, orderId: string, sources: readonly string[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE forget_orders SET what = what || jsonb_build_object('lineSources', ARRAY(
      SELECT jsonb_array_elements_text(coalesce(what -> 'lineSources', '[]'))
      UNION SELECT unnest(${[...sources]}::text[]))) WHERE id = ${orderId}::uuid`;
}

/**
 * Takes out again what the undo of an order put back although a later order names it, or took what it repeats: in a
 * channel also somebody else's. That one still stands: it found nothing to take while the words lay sealed.
 */
async function keepForgotten(tx: Tx, personId: string, orderId: string): Promise<void> {
  const later = await tx.$queryRaw<
    Pick<ForgetOrderModel, 'id' | 'personId' | 'companionId' | 'what' | 'at' | 'undoUntil'>[]
  >`
    SELECT id::text, person_id::text AS "personId", companion_id AS "companionId", what, at, undo_until AS "undoUntil"
    FROM forget_orders JOIN people USING (person_id)
    WHERE reason = 'forgotten' AND NOT keep_talk AND id <> ${orderId}::uuid
      AND at >= (SELECT at FROM forget_orders WHERE id = ${orderId}::uuid)
      AND id IN (
        SELECT id FROM forget_orders WHERE person_id = ${personId}::uuid
        UNION SELECT order_id FROM sealed_lines JOIN transcript AS line ON line.id = line_id
          WHERE conversation_id IN (
            SELECT conversation_id FROM sealed_lines JOIN transcript AS line ON line.id = line_id
            WHERE order_id = ${orderId}::uuid))
    ORDER BY at`;
  for (const { id, personId: by, companionId, what, at, undoUntil: until } of later) {
    const order = { orderId: id, personId: by, until };
    if (by === personId) {
      const { lineSources } = NotedSources.parse(what);
      const choice = { personId, companionId, what: linesOf(ForgetNamed.parse(what), lineSources, at) };
      await markOpen(tx, id, choice);
      await takeOut(tx, order, await chooseLines(tx, choice));
    }
    const repeating = await stillTaken(tx, orderId, id);
    if (until !== null) await sealLines(tx, { ...order, until }, repeating);
    await emptyLines(tx, repeating, 'forgotten');
    await noteReplies(tx, id, repeating, []);
  }
}
