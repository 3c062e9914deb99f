import type { Tx } from '@kith/database';
import type { ChosenLine, MessageWithoutLine } from './choose-lines.js';
import { comparingTimeOf } from '../quotes/comparing-time.js';
import { withdrawQuestions } from './empty-calls.js';
import { conversationsOfPlaces, emptyLines, sealLines } from './empty-lines.js';
import { noteReplies } from './note-replies.js';
import { quotesElsewhere, quotesOf, recalledQuotes, wordsOfAll, wordsOfLines } from './reply-quotes.js';

/** Nothing but the order's lines. */
const NOTHING_MORE = { turnIds: [], entries: [], unlined: [] };

/**
 * Removes lines and the replies that repeat them, the recalled texts or messages without a line. Returns the number of
 * removed lines.
 */
export async function takeOut(
  tx: Tx,
  order: { orderId: string; personId: string; until: Date | null },
  chosen: readonly ChosenLine[],
  also: {
    turnIds: readonly string[];
    entries: readonly { text: string | null }[];
    unlined: readonly MessageWithoutLine[];
  } = NOTHING_MORE,
): Promise<number> {
  const fresh = chosen.filter(({ text }) => text !== '');
  const gone = await wordsOfLines(fresh, comparingTimeOf(tx));
  const quotes = await quotesOf(tx, fresh, gone, true);
  const told = await wordsOfAll(tx, also.entries);
  const words = new Set([...gone.values(), told].flatMap((some) => [...some]));
  quotes.push(...(await recalledQuotes(tx, also.turnIds, words)));
  const unlined = await wordsOfAll(tx, also.unlined);
  const quoted = [...fresh, ...also.unlined];
  const all = new Set([...words, ...unlined]);
  quotes.push(...(await quotesElsewhere(tx, quoted, all)));
  const ids = [...new Set([...fresh.map(({ id }) => id), ...quotes])];
  if (order.until !== null) await sealLines(tx, { ...order, until: order.until }, ids);
  await emptyLines(tx, ids, 'forgotten');
  const places = conversationsOfPlaces(quoted.map(({ conversationId }) => conversationId));
  await withdrawQuestions(tx, order.personId, places, all);
  const ownTurnIds = chosen.map(({ turnId }) => turnId);
  await noteReplies(tx, order.orderId, quotes, ownTurnIds);
  return ids.length;
}
