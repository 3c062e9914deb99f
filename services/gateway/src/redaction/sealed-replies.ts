import { present } from '@kith/contracts';
import { rawSql, sql, type Sql, type TranscriptMessageModel, type Tx } from '@kith/database';
import { textYielder, repeats, tellingWords, wordsByTurn } from '../quotes/quote-finder.js';
import { comparingTimeOf } from '../quotes/comparing-time.js';
import { conversationsOfPlaces } from './empty-lines.js';
import { quotesOf, turnsQuoting, wordsOfLines, type QuotedWithoutLine } from './reply-quotes.js';
import { WordsElsewhere } from '../quotes/words-elsewhere.js';

/** Columns of `SealedReply`, except its words. */
const COLUMNS =
  rawSql(`line.id, line.turn_id::text AS "turnId", line.conversation_id::text AS "conversationId",
  line.person_id::text AS "personId", line.at`);

/** Reply whose words are sealed, or were until an undo restored them. */
type SealedReply = Pick<
  TranscriptMessageModel,
  'id' | 'turnId' | 'conversationId' | 'personId' | 'text' | 'at'
>;

/** Line that an order removed, with its sealed words. */
interface TakenLine extends SealedReply {
  role: string;
}

/** Line that is removed. */
type LostLine = Pick<SealedReply, 'id' | 'conversationId' | 'personId'>;

/**
 * Deletes the sealed copies of replies that repeat permanently deleted words.
 * @param which `mayRepeat` or `wasTold`
 * @param turnId turn whose reply loses its sealed copy in any case
 */
export async function unseal(
  tx: Tx,
  which: Sql,
  words: ReadonlySet<string>,
  turnId: string | null = null,
): Promise<void> {
  const lost = await sealedWhere(tx, which, words, turnId);
  await tx.sealedLine.deleteMany({ where: { lineId: { in: lost.map(({ id }) => id) } } });
}

/**
 * Finds the replies that other orders have sealed and that repeat words which an order removes. Noted with the order, they
 * stay removed when those are undone (`stillTaken`). Where the order can't be undone, deletes their sealed copies instead,
 * and finds none.
 * @param which `mayRepeat` or `wasTold`
 */
export async function sealedRepeats(
  tx: Tx,
  { orderId, until }: { orderId: string; until: Date | null },
  which: Sql,
  words: ReadonlySet<string>,
): Promise<bigint[]> {
  if (until === null) {
    await unseal(tx, which, words);
    return [];
  }
  const ofOthers = sql`sealed.order_id <> ${orderId}::uuid AND ${which}`;
  return (await sealedWhere(tx, ofOthers, words)).map(({ id }) => id);
}

/** SQL that matches a `line` of these turns, which were shown memories, or of turns that quoted messages without a line. */
export function wasTold(turnIds: readonly string[], messages: readonly QuotedWithoutLine[]): Sql {
  return sql`(line.turn_id = ANY (${[...turnIds]}::uuid[])
    OR line.turn_id IN (SELECT turn_id FROM ${turnsQuoting(messages)}))`;
}

/** SQL that matches a later `line` which may repeat this one: any in its place, and elsewhere those told to its person. */
export function mayRepeat({ id, personId, conversationId }: LostLine): Sql {
  return sql`line.id > ${id}
    AND (line.conversation_id IN (${conversationsOfPlaces([conversationId])}) OR line.person_id = ${personId}::uuid)`;
}

async function sealedWhere(tx: Tx, which: Sql, words: ReadonlySet<string>, turnId: string | null = null) {
  const replies = await tx.$queryRaw<SealedReply[]>`
    SELECT ${COLUMNS}, sealed.text
    FROM sealed_lines AS sealed JOIN transcript AS line ON line.id = sealed.line_id
    WHERE line.role = 'companion' AND ${which}`;
  const saidIn = await wordsSaidIn(tx, replies);
  const isLost = ({ turnId: of, text }: SealedReply) =>
    of === turnId || (repeats(text, words) && repeats(text, words, saidIn(of)));
  return filterWithin(tx, replies, isLost);
}

/**
 * SQL that tells whether a `later` order names all that the `undone` one names. Replies that went with the undone one then
 * stay removed; the later one could not note them, as memory had no words left to compare.
 */
const namesAsMuch = rawSql(`later.person_id = undone.person_id
  AND (later.companion_id IS NULL OR later.companion_id = undone.companion_id)
  AND (later.what ->> 'kind' = 'all' AND later.at >= undone.at OR later.what @> (
    SELECT jsonb_object_agg(key, value) FROM jsonb_each(undone.what)
    WHERE key IN ('kind', 'ids', 'sources', 'from', 'to')))`);

/**
 * Finds the replies restored by the undo of one order that answer, or repeat, lines removed by a later order, which could
 * not remove them, because their words were sealed; or that the later order has noted for this, or names as well.
 */
export async function stillTaken(tx: Tx, undoneId: string, laterId: string): Promise<bigint[]> {
  const restored = await tx.$queryRaw<(SealedReply & { isNamed: boolean | null })[]>`
    SELECT ${COLUMNS}, line.text, jsonb_exists(later.what -> 'replyTurnIds', line.turn_id::text) OR (${namesAsMuch}) AS "isNamed"
    FROM sealed_lines AS sealed JOIN transcript AS line ON line.id = sealed.line_id
    JOIN forget_orders AS undone ON undone.id = sealed.order_id JOIN forget_orders AS later ON later.id = ${laterId}::uuid
    WHERE undone.id = ${undoneId}::uuid AND line.role = 'companion' AND line.withheld IS NULL`;
  if (restored.length === 0) return [];
  const taken = await tx.$queryRaw<TakenLine[]>`
    SELECT ${COLUMNS}, line.role, sealed.text
    FROM sealed_lines AS sealed JOIN transcript AS line ON line.id = sealed.line_id
    WHERE sealed.order_id = ${laterId}::uuid AND line.withheld = 'forgotten' ORDER BY line.id`;
  // Only what people said counts: a removed reply shares its companion's usual words with other replies.
  const said = await wordsOfLines(
    taken.filter(({ role }) => role === 'person'),
    comparingTimeOf(tx),
  );
  const gone = new Map(taken.map(({ id }) => [id, said.get(id) ?? new Set<string>()]));
  const quotes = new Set(await quotesOf(tx, taken, gone, true));
  const saidIn = await wordsSaidIn(tx, restored);
  const byTime = taken.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const elsewhere = new WordsElsewhere();
  let next = 0;
  const isTaken = (reply: (typeof restored)[number]) => {
    for (; next < byTime.length; next += 1) {
      const line = present(byTime[next]);
      if (line.at > reply.at) break;
      elsewhere.note(line, gone.get(line.id) ?? []);
    }
    if (reply.isNamed === true || quotes.has(reply.id)) return true;
    const repeated = [...tellingWords(reply.text)].filter((word) => elsewhere.has(word, reply));
    const own = repeated.length > 0 ? saidIn(reply.turnId) : null;
    return own !== null && repeated.some((word) => !own.has(word));
  };
  const inOrder = restored.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  return (await filterWithin(tx, inOrder, isTaken)).map(({ id }) => id);
}

/**
 * Filters replies, yielding to other work in between. Replies left when the transaction's time is over count as meant, so
 * that an undo restores too little rather than too much.
 */
async function filterWithin<Reply extends SealedReply>(
  tx: Tx,
  replies: readonly Reply[],
  isMeant: (reply: Reply) => boolean,
): Promise<Reply[]> {
  const [yielder, time] = [textYielder(), comparingTimeOf(tx)];
  const found: Reply[] = [];
  for (const reply of replies) {
    if (time.isOver() || isMeant(reply)) found.push(reply);
    await yielder.after(reply.text);
  }
  return found;
}

/** Looks up the telling words that people said in the turns of these replies. */
async function wordsSaidIn(
  tx: Tx,
  replies: readonly SealedReply[],
): Promise<(turnId: string) => ReadonlySet<string>> {
  const lines = await tx.transcriptMessage.findMany({
    where: { turnId: { in: replies.map(({ turnId }) => turnId) }, role: 'person', text: { not: '' } },
    select: { turnId: true, text: true },
  });
  return wordsByTurn(lines);
}
