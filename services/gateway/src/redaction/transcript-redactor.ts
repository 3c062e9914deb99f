import { erasedError, type TalkLine } from '@kith/contracts';
import { columnOf, sql, type Database, type Tx } from '@kith/database';
import {
  chooseLines,
  chooseLost,
  chooseUnlined,
  emptyEnded,
  type ChosenLine,
  type LineChoice,
} from './choose-lines.js';
import { comparingTimeOf } from '../quotes/comparing-time.js';
import { deleteCalls } from './delete-calls.js';
import { cleanTraces, entriesOf, placesShown, type RemovedMemories } from './clean-traces.js';
import {
  keepForgotten,
  findLinesToRemove,
  noteSources,
  notedReplies,
  noteReplies,
  removeLines,
} from './remove-lines.js';
import { conversationsQuoting, quotesOf, recalledQuotes, wordsOfAll, wordsOfLines } from './reply-quotes.js';
import { withdrawQuestions } from './empty-calls.js';
import {
  conversationsOfPlaces,
  emptyLines,
  lockReplies,
  outdateLine,
  outdateReplies,
  sealLines,
} from './empty-lines.js';
import { mayRepeat, sealedRepeats, unseal, wasTold } from './sealed-replies.js';
import { allOf, tellingWords } from '../quotes/quote-finder.js';

/** Lines that an order removed, with the turns and messages that it names, also those whose lines are gone. */
export interface RemovedLines {
  lines: number;
  turnIds: string[];
  messageIds: string[];
  /** Other turns, whose replies were removed because they repeat the lines. */
  replyTurnIds: string[];
  /** Later replies were left out for lack of time: they may repeat the lines. */
  isCutShort: boolean;
}

/** Line of an outreach, with the row that began it. */
type StartedLine = Pick<ChosenLine, 'id' | 'turnId' | 'conversationId' | 'text'> & { inboxId: bigint };

/** Lines that a preview shows: more than a person reads before they decide. */
const MAX_SHOWN = 20;

/** Removes lines of the transcript from all use, and restores them. */
export class TranscriptRedactor {
  constructor(private readonly database: Database) {}

  /**
   * Counts the lines that would be removed, and shows the person’s words in them, newest first. Messages without a
   * line, such as waiting ones, are shown as well.
   */
  async preview(
    choice: LineChoice,
    remembered: RemovedMemories,
  ): Promise<{ lines: number; talk: TalkLine[] }> {
    // As the system: a channel's rows belong to no person.
    return this.database.asSystem(async (tx) => {
      const [chosen, lost] = [await chooseLines(tx, choice), await chooseLost(tx, choice)];
      const unlined = await chooseUnlined(tx, choice);
      const recalled = await entriesOf(tx, choice.personId, remembered);
      const { ids } = await findLinesToRemove(tx, { chosen, lost, unlined, ...recalled });
      const open = unlined.filter(({ isNamed }) => !isNamed);
      const told = [...chosen.filter(({ text }) => text !== ''), ...open];
      const newest = told.toSorted((one, other) => other.at.getTime() - one.at.getTime());
      const talk = newest
        .slice(0, MAX_SHOWN)
        .map(({ text, at }) => ({ role: 'person' as const, text, at: at.toISOString() }));
      return { lines: ids.length + open.length, talk };
    });
  }

  /**
   * Removes lines, the replies to them and the replies that repeat them; removes from traces what memory derived from
   * them. The words are sealed until `until`, or deleted where that is null. Replies under way that were written with
   * them are discarded, whoever they are for. Safe to repeat.
   */
  forget(
    order: { orderId: string; until: Date | null; keepTalk: boolean },
    choice: LineChoice,
    remembered: RemovedMemories,
  ): Promise<RemovedLines> {
    const { personId } = choice;
    return this.database.asSystem(async (tx) => {
      await outdateReplies(tx, personId, order.keepTalk ? [] : await placesOf(tx, choice, remembered));
      if ('sources' in choice.what) await noteSources(tx, order.orderId, choice.what.sources);
      const chosen = await chooseLines(tx, choice);
      const lost = await chooseLost(tx, choice);
      const named = [...chosen, ...lost];
      const touched = {
        turnIds: [...new Set(named.map(({ turnId }) => turnId))],
        messageIds: named.flatMap(({ messageId }) => messageId ?? []),
      };
      const recalled = await cleanTraces(tx, personId, remembered);
      let lines = 0;
      if (!order.keepTalk) {
        const unlined = await chooseUnlined(tx, choice);
        lines = await removeLines(tx, { ...order, personId }, chosen, { ...recalled, unlined, lost });
        // Those that wait were counted when they were marked.
        lines += unlined.filter(({ isWaiting }) => !isWaiting).length;
        await deleteCalls(tx, choice);
        await emptyEnded(tx, choice);
      }
      const replyTurnIds = await notedReplies(tx, order.orderId);
      return { ...touched, lines, replyTurnIds, isCutShort: comparingTimeOf(tx).ranOut };
    });
  }

  /**
   * Removes from traces what memory derived from a message's old words, and the replies that repeat it. Replies that were
   * written with it between the change and the first run are removed whole. A second run removes no later reply. Returns
   * the turns of all replies that the order removed, those of `reviseLine` included.
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
      const { turnIds, entries } = await cleanTraces(tx, personId, { memoryIds, sources: [source] });
      const since = await tx.$queryRaw<{ id: bigint; turnId: string }[]>`
        SELECT line.id, turn_id::text AS "turnId" FROM turns JOIN transcript AS line USING (turn_id)
        WHERE turn_id = ANY (${turnIds}::uuid[]) AND ended_at >= ${at} AND ended_at <= ${first?.cleanedAt ?? new Date()}
          AND role = 'companion' AND line.text <> ''`;
      const words = await wordsOfAll(tx, entries);
      // After an edit a memory may still hold words that are in use. `reviseLine` has compared earlier replies with the
      // lost words alone.
      const turns = reason === 'deleted' ? turnIds : since.map(({ turnId }) => turnId);
      const quotes = await recalledQuotes(tx, turns, words);
      await unseal(tx, wasTold(turns, []), words);
      const ids = [...since.map(({ id }) => id), ...quotes];
      await emptyLines(tx, ids, reason);
      return noteReplies(tx, orderId, ids, [turnId]);
    });
  }

  /**
   * Undoes an order: restores its sealed lines, except those that a later order names or that repeat its words. Safe to
   * repeat. Returns the affected turns, those of them whose replies stay removed (`silentTurnIds`), and the number of
   * restored lines.
   * @throws AppError `not_found`, known to `isErased`, where the person was erased: nothing of theirs comes back
   */
  undo(personId: string, orderId: string) {
    return this.database.asSystem(async (tx) => {
      // Waits for turns that are being committed, because that seals their lines. Locks all open messages before
      // conversations, in the order of a commit: a later order may name any of them.
      await tx.$executeRaw`
        SELECT id FROM inbox WHERE person_id = ${personId}::uuid AND outcome IS NULL ORDER BY id FOR UPDATE`;
      // After the messages, as an erasure does, which then also finds the restored lines.
      await tx.$executeRaw`
        SELECT 1 FROM (SELECT pg_advisory_xact_lock_shared(kith_erasure_lock(${personId}::uuid))) AS held`;
      if (await tx.erasure.findUnique({ where: { erasedId: personId } })) throw erasedError(undefined);
      await tx.$executeRaw`
        UPDATE inbox SET forgotten_by = NULL
        WHERE person_id = ${personId}::uuid AND outcome IS NULL AND forgotten_by = ${orderId}::uuid`;
      const sealed = sql`sealed_lines AS sealed
        WHERE sealed.order_id = ${orderId}::uuid AND sealed.person_id = ${personId}::uuid AND sealed.until > now()
          AND line.id = sealed.line_id`;
      // Waits for edits and deletions under way: they delete their seals first, or see the restored lines.
      await tx.$executeRaw`
        SELECT 1 FROM conversations WHERE conversation_id IN (
          SELECT conversation_id FROM sealed_lines JOIN transcript AS line ON line.id = line_id
          WHERE order_id = ${orderId}::uuid)
        ORDER BY conversation_id FOR UPDATE`;
      // Locks replies before their lines, as a delivery does.
      await lockReplies(tx, sql`id IN (SELECT line_id FROM sealed_lines WHERE order_id = ${orderId}::uuid)`);
      // Only once: a second run must not restore what another person's order has removed since.
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
      const silentTurnIds = await columnOf(tx)`
        SELECT DISTINCT turn_id::text FROM transcript
        WHERE turn_id = ANY (${[...turnIds, ...replyTurnIds]}::uuid[]) AND role = 'companion' AND withheld IS NOT NULL`;
      return { lines: rows.filter(({ isTold }) => isTold).length, turnIds, replyTurnIds, silentTurnIds };
    });
  }

  /**
   * Removes outreach, sent, still planned or never arrived, whose reason was forgotten, and the later replies that repeat
   * its words: its line had them from the reason, whatever it was shown. With `keepTalk`, the later replies stay. Returns
   * the number of removed lines, and the turns of those replies.
   */
  async forgetStarted(
    order: { orderId: string; personId: string; until: Date | null; keepTalk: boolean },
    attemptIds: readonly string[],
  ): Promise<{ lines: number; replyTurnIds: string[] }> {
    if (attemptIds.length === 0) return { lines: 0, replyTurnIds: [] };
    const { orderId, personId, until, keepTalk } = order;
    return this.database.asSystem(async (tx) => {
      // Stored with the order: `isCalledOff` refuses attempts that arrive later.
      await tx.$executeRaw`
        UPDATE forget_orders SET what = what || jsonb_build_object('attemptIds', ARRAY(
          SELECT jsonb_array_elements_text(coalesce(what -> 'attemptIds', '[]'))
          UNION SELECT unnest(${[...attemptIds]}::text[]))) WHERE id = ${orderId}::uuid`;
      const begun = sql`inbox.person_id = ${personId}::uuid AND inbox.origin = 'outreach'
        AND inbox.external_id = ANY (${[...attemptIds]}::text[])`;
      const reasons = await tx.$queryRaw<{ id: bigint; text: string }[]>`
        SELECT id, text FROM inbox WHERE ${begun} ORDER BY id FOR UPDATE`;
      await tx.$executeRaw`
        UPDATE inbox SET text = '', revision = revision + CASE WHEN outcome IS NULL THEN 1 ELSE 0 END,
          deleted_at = CASE WHEN outcome IS NULL THEN now() ELSE deleted_at END
        WHERE ${begun}`;
      const isSealed = sql`sealed_lines WHERE order_id <> ${orderId}::uuid AND line_id IN (
        SELECT line.id FROM inbox JOIN transcript AS line USING (turn_id) WHERE ${begun})`;
      // Its own line stays removed as well when an order that took it before is undone.
      if (until === null) await tx.$executeRaw`DELETE FROM ${isSealed}`;
      else await noteReplies(tx, orderId, await columnOf(tx)<bigint>`SELECT line_id FROM ${isSealed}`, []);
      const lines = await tx.$queryRaw<StartedLine[]>`
        SELECT inbox.id AS "inboxId", line.id, line.turn_id::text AS "turnId",
          line.conversation_id::text AS "conversationId", line.text
        FROM inbox JOIN transcript AS line USING (turn_id) WHERE ${begun} AND line.text <> '' ORDER BY line.id`;
      if (lines.length === 0) return { lines: 0, replyTurnIds: [] };
      const told = lines.map(({ conversationId }) => conversationId);
      // After the messages, as a commit does.
      await outdateReplies(tx, personId, told);
      const gone = await wordsOfLines(lines, comparingTimeOf(tx));
      const reasonOf = new Map(reasons.map(({ id, text }) => [id, text]));
      for (const { id, inboxId } of lines) {
        const words = tellingWords(reasonOf.get(inboxId) ?? '');
        // The reason of an old outreach is not kept: any of its words may come from it.
        if (words.size > 0)
          gone.set(id, new Set([...(gone.get(id) ?? [])].filter((word) => words.has(word))));
      }
      const quotes = keepTalk ? [] : await quotesOf(tx, lines, gone, false);
      const sealed: bigint[] = [];
      for (const line of keepTalk ? [] : lines) {
        const words = gone.get(line.id) ?? new Set();
        sealed.push(...(await sealedRepeats(tx, order, mayRepeat({ ...line, personId }), words)));
      }
      const ids = [...new Set([...lines.map(({ id }) => id), ...quotes])];
      if (until !== null) await sealLines(tx, { orderId, personId, until }, ids);
      await emptyLines(tx, ids, 'forgotten');
      const all = allOf(gone.values());
      if (!keepTalk) await withdrawQuestions(tx, personId, conversationsOfPlaces(told), all);
      await noteReplies(tx, orderId, [...quotes, ...sealed], []);
      const replyTurnIds = await columnOf(tx)`
        SELECT DISTINCT turn_id::text FROM transcript WHERE id = ANY (${quotes}::bigint[])`;
      return { lines: ids.length, replyTurnIds };
    });
  }
}

/** SQL that matches lines of replies that were given up before any part arrived. */
const neverArrived = sql`line.role = 'companion' AND EXISTS (
  SELECT 1 FROM outbox WHERE outbox.turn_id = line.turn_id AND status IN ('failed', 'dropped')
    AND coalesce(platform_ids, '{}') = '{}')`;

/**
 * Finds the conversations that may lose lines, which others' prompts may hold: those with a named line that still has its
 * words, with a reply to one that is gone, or with a turn that was shown the memories or quotes a named message.
 */
async function placesOf(tx: Tx, choice: LineChoice, remembered: RemovedMemories): Promise<string[]> {
  const lines = await chooseLines(tx, choice);
  const told = lines.filter(({ text }) => text !== '').map(({ conversationId }) => conversationId);
  const lost = await chooseLost(tx, choice);
  const replied = await columnOf(tx)`
    SELECT DISTINCT conversation_id::text FROM transcript
    WHERE turn_id = ANY (${lost.map(({ turnId }) => turnId)}::uuid[]) AND text <> ''`;
  const quoted = [...lines, ...lost, ...(await chooseUnlined(tx, choice))];
  const quoting = await columnOf(tx)`
    SELECT DISTINCT conversation_id::text FROM (${conversationsQuoting(quoted)}) AS quoting`;
  const shown = await placesShown(tx, choice.personId, remembered);
  return [...new Set([...told, ...replied, ...quoting, ...shown])];
}
