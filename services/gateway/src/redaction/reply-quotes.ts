import { firstOf, lastOf, type Door } from '@kith/contracts';
import { columnOf, sql, type Sql, type Tx } from '@kith/database';
import { comparingTimeOf, type ComparingTime } from '../quotes/comparing-time.js';
import { conversationsOfPlaces } from './empty-lines.js';
import {
  allOf,
  textYielder,
  QuoteFinder,
  repeats,
  tellingWords,
  wordsByTurn,
  type LoadViews,
  type LostWords,
} from '../quotes/quote-finder.js';

/** Lines of a conversation that are read at once. */
const PAGE = 1_000;
/** Time for comparing. */
type Time = Pick<ComparingTime, 'isOver'>;
/** Time that never ends, for work for which nobody waits. */
export const ALL_TIME: Time = { isOver: () => false };

/** Runs work in a transaction: in the one that is open, or in a new one each time. */
type InTransaction = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** Finds each text's telling words while there is time, yielding to other work in between. */
async function wordsOfEach(texts: readonly string[], time: Time): Promise<Set<string>[]> {
  const words: Set<string>[] = [];
  const yielder = textYielder();
  for (const text of texts) {
    words.push(time.isOver() ? new Set() : tellingWords(text));
    await yielder.after(text);
  }
  return words;
}

/** Finds the telling words of lines, as `wordsOfEach` does, by the lines' ids. */
export async function wordsOfLines(
  lines: readonly { id: bigint; text: string }[],
  time: Time,
): Promise<Map<bigint, Set<string>>> {
  const texts = lines.map(({ text }) => text);
  const words = await wordsOfEach(texts, time);
  return new Map(lines.map(({ id }, at) => [id, words[at] ?? new Set()]));
}

/** Finds the telling words of all these lines or memories, in the time that a transaction has for it. */
export async function wordsOfAll(tx: Tx, said: readonly { text: string | null }[]): Promise<Set<string>> {
  const texts = said.map(({ text }) => text ?? '');
  return allOf(await wordsOfEach(texts, comparingTimeOf(tx)));
}

/** Line of a conversation, with its turn. */
interface PlacedLine {
  id: bigint;
  conversationId: string;
  turnId: string;
}

/**
 * Finds the replies that answer or repeat removed lines, later ones included, within a transaction. Those that answer are
 * known by their turns, and found however little time there is to compare the others.
 */
export async function quotesOf(
  tx: Tx,
  lines: readonly PlacedLine[],
  gone: ReadonlyMap<bigint, ReadonlySet<string>>,
  withReplies: boolean,
): Promise<bigint[]> {
  const found = await quotesWithin(tx, lines, gone, withReplies);
  const words = allOf(gone.values());
  const places = [...new Set(lines.map(({ conversationId }) => conversationId))];
  return [...found, ...(await quotesOfLines(tx, places, [...gone.keys(), ...found], words))];
}

/** Finds the replies that answer or repeat removed lines in the conversations of these. */
async function quotesWithin(
  tx: Tx,
  lines: readonly PlacedLine[],
  gone: ReadonlyMap<bigint, ReadonlySet<string>>,
  withReplies: boolean,
): Promise<bigint[]> {
  const found = new Set(withReplies ? await repliesTo(tx, lines) : []);
  const time = comparingTimeOf(tx);
  for (const [conversationId, own] of Map.groupBy(lines, (line) => line.conversationId)) {
    if (time.isOver()) break;
    const first = own.reduce((least, { id }) => (id < least ? id : least), firstOf(own).id);
    const pages = quotesFrom((work) => work(tx), { conversationId, first, gone, withReplies });
    for await (const page of pages) {
      for (const id of page) found.add(id);
      if (time.isOver()) break;
    }
  }
  return [...found];
}

/** Finds the replies to lines: what their companion said after them in the same turn. */
async function repliesTo(tx: Tx, lines: readonly { id: bigint; turnId: string }[]): Promise<bigint[]> {
  if (lines.length === 0) return [];
  const ids = lines.map(({ id }) => id);
  const replies = await tx.$queryRaw<{ id: bigint }[]>`
    SELECT DISTINCT reply.id
    FROM unnest(${lines.map(({ turnId }) => turnId)}::uuid[], ${ids}::bigint[]) AS line (turn_id, id)
    JOIN transcript AS reply ON reply.turn_id = line.turn_id AND reply.id > line.id
    WHERE reply.role = 'companion' AND reply.withheld IS DISTINCT FROM 'deleted'`;
  const removed = new Set(ids);
  return replies.flatMap(({ id }) => (removed.has(id) ? [] : [id]));
}

/** Finds the replies of turns with messages whose lines are gone. Nobody can tell any more which part answers which. */
export function repliesOf(tx: Tx, turnIds: readonly string[]): Promise<bigint[]> {
  return columnOf(tx)`
    SELECT id FROM transcript
    WHERE turn_id = ANY (${[...turnIds]}::uuid[]) AND role = 'companion' AND withheld IS DISTINCT FROM 'deleted'`;
}

/** Finds the replies that answer or repeat removed lines in one conversation, page by page. */
export async function* quotesFrom(
  inTransaction: InTransaction,
  where: {
    conversationId: string;
    /** The first removed line, or the first after one that is not there any more. */
    first: bigint;
    gone: ReadonlyMap<bigint, ReadonlySet<string>>;
    withReplies: boolean;
    lost?: LostWords;
  },
): AsyncGenerator<bigint[]> {
  const { conversationId, first, gone, withReplies, lost = null } = where;
  const finder = new QuoteFinder(gone, withReplies, await viewsIn(inTransaction, conversationId), lost);
  let id: { gte: bigint } | { gt: bigint } = { gte: first };
  for (;;) {
    const page = await inTransaction((tx) =>
      tx.transcriptMessage.findMany({
        where: { conversationId, id },
        orderBy: { id: 'asc' },
        take: PAGE,
        select: { id: true, turnId: true, role: true, text: true, withheld: true },
      }),
    );
    const deleted = new Set(page.filter(({ withheld }) => withheld === 'deleted').map((line) => line.id));
    yield (await finder.find(page)).filter((found) => !deleted.has(found));
    if (page.length < PAGE) return;
    id = { gt: lastOf(page).id };
  }
}

/**
 * Finds the replies of other companions of a place that had one of these lines before them as a quote and repeat its
 * words, and further replies that repeat those. A search through a line's own conversation does not find them.
 * @param places conversations of the lines
 */
export async function quotesOfLines(
  tx: Tx,
  places: readonly string[],
  lineIds: readonly bigint[],
  words: ReadonlySet<string>,
): Promise<bigint[]> {
  const known = new Set(lineIds);
  const found: bigint[] = [];
  for (let next = [...known]; next.length > 0 && !comparingTimeOf(tx).isOver();) {
    const turnIds = await columnOf(tx)`
      SELECT turn_id::text FROM ${turnsElsewhere(places)} AND EXISTS (
        SELECT FROM jsonb_array_elements_text(trace -> 'view' -> 'quoted') AS line WHERE line::bigint = ANY (${next}::bigint[]))`;
    const { lines, repeated } = await repliesWith(tx, turnIds, words);
    const ids = [...repeated.keys(), ...(await quotesWithin(tx, lines, repeated, false))];
    next = [...new Set(ids)].filter((id) => !known.has(id));
    for (const id of next) known.add(id);
    found.push(...next);
  }
  return found;
}

/**
 * Finds the replies of these turns that repeat the words of a memory which they were shown, and further replies that
 * repeat those. Withheld replies with words count: they may still be told, in private or once they arrive.
 */
export async function recalledQuotes(
  tx: Tx,
  turnIds: readonly string[],
  words: ReadonlySet<string>,
): Promise<bigint[]> {
  const { lines, repeated } = await repliesWith(tx, turnIds, words);
  return [...repeated.keys(), ...(await quotesOf(tx, lines, repeated, false))];
}

/** Finds the replies of these turns that repeat the words, each with those that it repeats. */
async function repliesWith(
  tx: Tx,
  turnIds: readonly string[],
  words: ReadonlySet<string>,
): Promise<{ lines: PlacedLine[]; repeated: Map<bigint, Set<string>> }> {
  if (turnIds.length === 0) return { lines: [], repeated: new Map() };
  const lines = await tx.transcriptMessage.findMany({
    where: { turnId: { in: [...turnIds] }, text: { not: '' } },
    select: { id: true, conversationId: true, turnId: true, role: true, text: true },
  });
  const byRole = Map.groupBy(lines, ({ role }) => role);
  const wordsSaidIn = wordsByTurn(byRole.get('person') ?? []);
  const found: typeof lines = [];
  const yielder = textYielder();
  const time = comparingTimeOf(tx);
  for (const line of byRole.get('companion') ?? []) {
    if (time.isOver()) break;
    await yielder.after(line.text);
    const { text, turnId } = line;
    if (repeats(text, words) && repeats(text, words, wordsSaidIn(turnId))) found.push(line);
  }
  const repeated = new Map(
    found.map(({ id, text }) => [id, new Set([...tellingWords(text)].filter((word) => words.has(word)))]),
  );
  return { lines: found, repeated };
}

/** Returns the key by which a turn's view names a quoted message that had no line in its conversation. */
export function quotedKey(door: Door, messageId: string): string {
  return `${door}:${messageId}`;
}

/** Message that may have been quoted where it had no line: before it was answered, or as another companion's. */
export interface QuotedWithoutLine {
  door: Door;
  /** Null: it has no id at its door, so nobody can have quoted it. */
  messageId: string | null;
  conversationId: string;
}

/**
 * SQL for the turns that quoted some messages where they had no line, in the places where these were said. A search through
 * the lines of a message's own conversation, from its line on, does not find them.
 */
export function turnsQuoting(messages: readonly QuotedWithoutLine[]): Sql {
  const said = messages.map(({ conversationId }) => conversationId);
  return sql`${turnsElsewhere(said)} AND trace -> 'view' -> 'quotedElsewhere' ?| ${keysOf(messages)}`;
}

/** SQL for the turns in the places of conversations that quoted something where it had no line. */
function turnsElsewhere(conversationIds: readonly string[]): Sql {
  return sql`turns WHERE conversation_id IN (${conversationsOfPlaces(conversationIds)})
    AND trace -> 'view' -> 'quotedElsewhere' IS NOT NULL`;
}

/**
 * SQL for the conversations of places with such a turn, which may be quoted in turn, or with a message that waits or is
 * answered just now and quotes one of them.
 */
export function conversationsQuoting(messages: readonly QuotedWithoutLine[]): Sql {
  return conversationsOfPlaces(sql`SELECT conversation_id FROM ${turnsQuoting(messages)}
    UNION SELECT conversation_id FROM inbox
      WHERE outcome IS NULL AND quote IS NOT NULL AND door || ':' || (quote ->> 'messageId') = ANY (${keysOf(messages)})`);
}

function keysOf(messages: readonly QuotedWithoutLine[]): Sql {
  const keys = messages.flatMap(({ door, messageId }) =>
    messageId === null ? [] : quotedKey(door, messageId),
  );
  return sql`${keys}::text[]`;
}

/**
 * Finds the replies of such turns that repeat words of the messages, and further replies that repeat one of those. The
 * caller has counted a change of `conversationsQuoting`.
 */
export async function quotesElsewhere(
  tx: Tx,
  messages: readonly QuotedWithoutLine[],
  words: ReadonlySet<string>,
): Promise<bigint[]> {
  if (messages.length === 0) return [];
  const turnIds = await columnOf(tx)`SELECT turn_id::text FROM ${turnsQuoting(messages)}`;
  return recalledQuotes(tx, turnIds, words);
}

/** Makes what loads the views of a conversation's turns. Turns of earlier versions did not note theirs. */
async function viewsIn(inTransaction: InTransaction, conversationId: string): Promise<LoadViews> {
  const epochs = await inTransaction((tx) =>
    tx.epoch.findMany({ where: { conversationId }, select: { id: true, kept: true } }),
  );
  const kept = new Map(epochs.map(({ id, kept: ids }) => [id, new Set(ids)]));
  return async (turnIds) => {
    const views = await inTransaction(
      (tx) => tx.$queryRaw<{ turnId: string; from: string | null; epoch: string | null; quoted: string[] }[]>`
        SELECT turn_id::text AS "turnId", trace -> 'view' ->> 'from' AS from, trace -> 'view' ->> 'epoch' AS epoch,
          coalesce(trace -> 'view' -> 'quoted', '[]') AS quoted
        FROM turns WHERE turn_id = ANY (${turnIds}::uuid[]) AND jsonb_typeof(trace -> 'view') = 'object'`,
    );
    return new Map(
      views.map(({ turnId, from, epoch, quoted }) => [
        turnId,
        {
          from: from === null ? null : BigInt(from),
          kept: new Set([...(kept.get(epoch ?? '') ?? []), ...quoted.map(BigInt)]),
        },
      ]),
    );
  };
}
