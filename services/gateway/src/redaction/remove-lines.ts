import { ForgetNamed, UNDO_MS } from '@kith/contracts';
import { sql, type ForgetOrderModel, type Tx } from '@kith/database';
import { z } from 'zod';
import { comparingTimeOf } from '../quotes/comparing-time.js';
import { withdrawQuestions } from './empty-calls.js';
import {
  chooseLines,
  chooseLost,
  linesOf,
  markOpen,
  type ChosenLine,
  type LostLine,
  type MessageWithoutLine,
} from './choose-lines.js';
import { allOf } from '../quotes/quote-finder.js';
import { conversationsOfPlaces, emptyLines, sealLines } from './empty-lines.js';
import {
  quotesElsewhere,
  quotesOf,
  recalledQuotes,
  repliesOf,
  wordsOfAll,
  wordsOfLines,
} from './reply-quotes.js';
import { sealedRepeats, stillTaken, wasTold } from './sealed-replies.js';

/** Choice of the lines alone. */
const NOTHING_MORE = { turnIds: [], entries: [], unlined: [], lost: [] };

/** Chosen lines, and what else tells what is to go with them. */
interface RemovalChoice {
  chosen: readonly ChosenLine[];
  /** Turns that were shown what memory derived from them. */
  turnIds: readonly string[];
  entries: readonly { text: string | null }[];
  unlined: readonly MessageWithoutLine[];
  lost: readonly LostLine[];
}

/**
 * Finds the lines that go with chosen ones: the replies to them, those that repeat them, the recalled texts or messages
 * without a line, and the replies of turns whose lines are gone.
 */
export async function findLinesToRemove(tx: Tx, { chosen, turnIds, entries, unlined, lost }: RemovalChoice) {
  const fresh = chosen.filter(({ text }) => text !== '');
  const gone = await wordsOfLines(fresh, comparingTimeOf(tx));
  const quotes = await quotesOf(tx, fresh, gone, true);
  const lostTurnIds = lost.map(({ turnId }) => turnId);
  quotes.push(...(await repliesOf(tx, lostTurnIds)));
  const told = await wordsOfAll(tx, entries);
  const words = allOf([...gone.values(), told]);
  quotes.push(...(await recalledQuotes(tx, turnIds, words)));
  const quoted = [...fresh, ...unlined, ...lost];
  const all = new Set([...words, ...(await wordsOfAll(tx, unlined))]);
  quotes.push(...(await quotesElsewhere(tx, quoted, all)));
  const ids = [...new Set([...fresh.map(({ id }) => id), ...quotes])];
  const ownTurnIds = [...chosen.map(({ turnId }) => turnId), ...lostTurnIds];
  return { ids, quotes, words: all, quoted, ownTurnIds };
}

/** Removes lines, and those that go with them. Returns their number. */
export async function removeLines(
  tx: Tx,
  order: { orderId: string; personId: string; until: Date | null },
  chosen: readonly ChosenLine[],
  also: Omit<RemovalChoice, 'chosen'>,
): Promise<number> {
  const { ids, quotes, words, quoted, ownTurnIds } = await findLinesToRemove(tx, { chosen, ...also });
  const sealed = await sealedRepeats(tx, order, wasTold(also.turnIds, quoted), words);
  if (order.until !== null) await sealLines(tx, { ...order, until: order.until }, ids);
  await emptyLines(tx, ids, 'forgotten');
  const places = conversationsOfPlaces(quoted.map(({ conversationId }) => conversationId));
  await withdrawQuestions(tx, order.personId, places, words);
  await noteReplies(tx, order.orderId, [...quotes, ...sealed], ownTurnIds);
  return ids.length;
}

/**
 * Notes with an order the turns of replies that it removes because they repeat removed words. Returns all turns noted so
 * far: a second run can't find them, because their replies are empty by then.
 * @param lineIds lines that the order removes
 * @param ownTurnIds turns that the order names itself: left out
 */
export async function noteReplies(
  tx: Tx,
  orderId: string,
  lineIds: readonly bigint[],
  ownTurnIds: readonly string[],
): Promise<string[]> {
  const [order] = await tx.$queryRaw<{ turnIds: string[] }[]>`
    UPDATE forget_orders SET what = what || jsonb_build_object('replyTurnIds', ARRAY(
      SELECT jsonb_array_elements_text(coalesce(what -> 'replyTurnIds', '[]'))
      UNION SELECT turn_id::text FROM transcript
      WHERE id = ANY (${[...lineIds]}::bigint[]) AND role = 'companion' AND turn_id <> ALL (${[...ownTurnIds]}::uuid[])))
    WHERE id = ${orderId}::uuid
    RETURNING ARRAY(SELECT jsonb_array_elements_text(what -> 'replyTurnIds')) AS "turnIds"`;
  return order?.turnIds ?? [];
}

/** Returns the turns that an order has noted. */
export async function notedReplies(tx: Tx, orderId: string): Promise<string[]> {
  const [order] = await tx.$queryRaw<{ turnIds: string[] }[]>`
    SELECT ARRAY(SELECT jsonb_array_elements_text(coalesce(what -> 'replyTurnIds', '[]'))) AS "turnIds"
    FROM forget_orders WHERE id = ${orderId}::uuid`;
  return order?.turnIds ?? [];
}

/** Messages that the memories named by an order were derived from. */
const NotedSources = z.object({ lineSources: z.array(z.string()).default([]) });

/** Reads the messages that were noted with an order when it was first carried out. */
export function notedSources({ what }: Pick<ForgetOrderModel, 'what'>): string[] {
  return NotedSources.parse(what).lineSources;
}

/** Notes those messages with the order: once memory has forgotten, no one else knows them. */
export async function noteSources(tx: Tx, orderId: string, sources: readonly string[]): Promise<void> {
  await tx.$executeRaw`
    UPDATE forget_orders SET what = what || jsonb_build_object('lineSources', ARRAY(
      SELECT jsonb_array_elements_text(coalesce(what -> 'lineSources', '[]'))
      UNION SELECT unnest(${[...sources]}::text[]))) WHERE id = ${orderId}::uuid`;
}

/**
 * Removes again the restored lines that another order covers which was carried out later, in a channel also another
 * person's order. That order missed them because they were sealed when it ran.
 */
export async function keepForgotten(tx: Tx, personId: string, orderId: string): Promise<void> {
  const sealedIn = sql`
    SELECT conversation_id FROM sealed_lines JOIN transcript AS line ON line.id = line_id
    WHERE order_id = ${orderId}::uuid`;
  const later = await tx.$queryRaw<
    Pick<ForgetOrderModel, 'id' | 'personId' | 'companionId' | 'what' | 'at' | 'undoUntil'>[]
  >`
    SELECT id::text, person_id::text AS "personId", companion_id AS "companionId", what, at, undo_until AS "undoUntil"
    FROM forget_orders JOIN people USING (person_id)
    WHERE reason = 'forgotten' AND NOT keep_talk AND id <> ${orderId}::uuid
      AND coalesce(finished_at, 'infinity') >= (SELECT at FROM forget_orders WHERE id = ${orderId}::uuid)
      AND id IN (
        SELECT id FROM forget_orders WHERE person_id = ${personId}::uuid
        UNION SELECT order_id FROM sealed_lines JOIN transcript AS line ON line.id = line_id
          WHERE conversation_id IN (${conversationsOfPlaces(sealedIn)})
        -- Of those that may be undone still, also such as noted a reply which this order had sealed, and took nothing else.
        UNION SELECT id FROM forget_orders
          WHERE (finished_at IS NULL OR finished_at > now() - ${UNDO_MS} * interval '1 millisecond')
            AND what -> 'replyTurnIds' ?| ARRAY(
              SELECT turn_id::text FROM sealed_lines JOIN transcript AS line ON line.id = line_id
              WHERE order_id = ${orderId}::uuid))
    ORDER BY at`;
  for (const { id, personId: by, companionId, what, at, undoUntil: until } of later) {
    const order = { orderId: id, personId: by, until };
    if (by === personId) {
      const lines = linesOf(ForgetNamed.parse(what), notedSources({ what }), at);
      const choice = { personId, companionId, what: lines };
      await markOpen(tx, id, choice);
      const lost = await chooseLost(tx, choice);
      await removeLines(tx, order, await chooseLines(tx, choice), { ...NOTHING_MORE, lost });
    }
    const repeating = await stillTaken(tx, orderId, id);
    if (until !== null) await sealLines(tx, { ...order, until }, repeating);
    await emptyLines(tx, repeating, 'forgotten');
    await noteReplies(tx, id, repeating, []);
  }
}
