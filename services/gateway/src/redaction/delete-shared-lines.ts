import { lastOf } from '@kith/contracts';
import { columnOf, inBatches, sql, type Database, type Tx } from '@kith/database';
import { chooseUnlined, type ChosenLine } from './choose-lines.js';
import { allOf } from '../quotes/quote-finder.js';
import { deleteLines } from './delete-lines.js';
import { withdrawQuestions } from './empty-calls.js';
import { conversationsOfPlaces, countChange, emptyLines, outdateReplies } from './empty-lines.js';
import {
  conversationsQuoting,
  quotesElsewhere,
  ALL_TIME,
  quotesFrom,
  quotesOfLines,
  wordsOfAll,
  wordsOfLines,
  type QuotedWithoutLine,
} from './reply-quotes.js';
import { mayRepeat, unseal, wasTold } from './sealed-replies.js';

/** Lines that one transaction changes: a fraction of a second. */
const BATCH = 1_000;

/** A line of the person who is erased. */
type OwnLine = Pick<ChosenLine, 'id' | 'text' | 'door' | 'messageId'>;

/** Forgets, in the other services, what was made of an erased person's words and belongs to others. */
export interface MadeForOthers {
  /** Forgets companions' notes about others that repeat the person's lines; runs while the messages are still known. */
  forgetNotesOfAll(personId: string): Promise<void>;
  /** Empties replies that repeat lines which retention has taken; runs while memory still has their words. Safe to repeat. */
  forgetRepeatsOfLost(personId: string): Promise<void>;
  /** Forgets what was made of the replies of these turns to others; runs once they are empty. Safe to repeat. */
  forgetReplies(personId: string, turnIds: string[]): Promise<void>;
}

/**
 * Deletes what a person said and was told in channels, with the replies to others that repeat it, and what was made of
 * those. Withholds the lines first, so that no later turn sees them, and discards replies under way. Deletes the words
 * last: a second run after an interruption needs them to find the rest.
 */
export async function deleteSharedLines(
  database: Pick<Database, 'asSystem' | 'writer'>,
  personId: string,
  made: MadeForOthers,
): Promise<void> {
  await inBatches(BATCH, () => database.asSystem((tx) => withholdShared(tx, personId)));
  await database.asSystem((tx) => emptyWaitingQuotes(tx, personId));
  await database.asSystem((tx) => outdateReplies(tx, personId));
  await made.forgetNotesOfAll(personId);
  await made.forgetRepeatsOfLost(personId);
  const unlined = { personId, companionId: null, what: { before: new Date() } };
  await emptyElsewhere(database, await database.asSystem((tx) => chooseUnlined(tx, unlined)));
  const channels = await database.asSystem((tx) => channelsOf(tx, personId));
  for (const conversationId of channels) await emptyQuotes(database, conversationId, personId);
  for (const conversationId of channels) {
    const turnIds = await database.asSystem((tx) => emptiedReplies(tx, conversationId));
    if (turnIds.length > 0) await made.forgetReplies(personId, turnIds);
  }
  for (const conversationId of channels) {
    const which = sql`conversation_id = ${conversationId}::uuid AND person_id = ${personId}::uuid`;
    await deleteLines(database, which, BATCH);
  }
}

/** Withholds some of a person's lines in channels. Returns how many. */
function withholdShared(tx: Tx, personId: string): Promise<number> {
  return tx.$executeRaw`
    UPDATE transcript SET withheld = 'forgotten' WHERE id = ANY (ARRAY(
      SELECT line.id FROM turns JOIN transcript AS line USING (turn_id)
      JOIN conversations AS place ON place.conversation_id = line.conversation_id
      WHERE turns.person_id = ${personId}::uuid AND place.person_id IS NULL
        AND line.person_id = ${personId}::uuid AND line.withheld IS DISTINCT FROM 'forgotten'
      LIMIT ${BATCH}))`;
}

/**
 * Removes quotes of the person's words, and of replies to them, from waiting messages; what was never said to a companion is
 * known by its author's mark. Runs before the rows go that tell whose words those are. Replies under way may have been told
 * such a quote, so they are outdated.
 */
async function emptyWaitingQuotes(tx: Tx, personId: string): Promise<void> {
  const places = await columnOf(tx)`
    UPDATE inbox SET quote = NULL
    WHERE outcome IS NULL AND quote IS NOT NULL AND (
      EXISTS (SELECT 1 FROM inbox AS said WHERE said.person_id = ${personId}::uuid
        AND said.door = inbox.door AND said.external_id = inbox.quote ->> 'messageId')
      OR EXISTS (SELECT 1 FROM outbox WHERE outbox.person_id = ${personId}::uuid
        AND outbox.door = inbox.door AND inbox.quote ->> 'messageId' = ANY (platform_ids))
      OR EXISTS (SELECT 1 FROM erased_accounts WHERE mark = inbox.quote #>> '{author,mark}'
        AND erased_at >= (inbox.quote #>> '{author,saidAt}')::timestamptz))
    RETURNING conversation_id::text`;
  await countChange(tx, sql`conversation_id = ANY (${places}::uuid[])`);
}

/** Finds the channels in which a person said something, or had a turn. */
function channelsOf(tx: Tx, personId: string): Promise<string[]> {
  return columnOf(tx)`
    SELECT conversation_id FROM conversations WHERE person_id IS NULL AND conversation_id IN (
      SELECT conversation_id FROM turns WHERE person_id = ${personId}::uuid
      UNION SELECT conversation_id FROM inbox WHERE person_id = ${personId}::uuid)`;
}

/**
 * Finds the turns of all replies to people in a channel, or to its other companions, that are empty for good. Which of
 * them repeated whom can't be told any more; so a second run finds what an interrupted one emptied, and those of earlier
 * orders, of which nothing is left elsewhere, cost a look.
 */
function emptiedReplies(tx: Tx, conversationId: string): Promise<string[]> {
  return columnOf(tx)`
    SELECT DISTINCT turn_id::text FROM transcript AS line JOIN people USING (person_id)
    WHERE line.conversation_id IN (${conversationsOfPlaces([conversationId])})
      AND role = 'companion' AND line.text = '' AND withheld = 'forgotten'
      AND NOT EXISTS (SELECT FROM sealed_lines WHERE line_id = line.id)`;
}

/** Reads the next page of a person's lines in a conversation. Lines that they forgot just now are read from their seals. */
function saidIn(tx: Tx, conversationId: string, personId: string, after: bigint): Promise<OwnLine[]> {
  return tx.$queryRaw<OwnLine[]>`
    SELECT id, coalesce(nullif(transcript.text, ''), sealed.text, '') AS text, door,
      transcript.external_id AS "messageId"
    FROM transcript JOIN conversations USING (conversation_id)
    LEFT JOIN (SELECT DISTINCT ON (line_id) line_id, text FROM sealed_lines) AS sealed ON line_id = id
    WHERE conversation_id = ${conversationId}::uuid AND id > ${after} AND transcript.person_id = ${personId}::uuid
      AND role = 'person'
    ORDER BY id LIMIT ${BATCH}`;
}

/** Empties the replies that quoted some of a person's messages where they had no line, and repeat them. */
async function emptyElsewhere(
  database: Pick<Database, 'asSystem'>,
  messages: readonly (QuotedWithoutLine & { text: string })[],
): Promise<void> {
  if (messages.length === 0) return;
  await database.asSystem(async (tx) => {
    await countChange(tx, sql`conversation_id IN (${conversationsQuoting(messages)})`);
    const words = await wordsOfAll(tx, messages);
    await emptyLines(tx, await quotesElsewhere(tx, messages, words), 'forgotten');
    await unseal(tx, wasTold([], messages), words);
  });
}

/** Empties the replies that answer or repeat a person's lines in a conversation. No undo of another person restores one. */
async function emptyQuotes(database: Pick<Database, 'asSystem'>, conversationId: string, personId: string) {
  const gone = new Map<bigint, ReadonlySet<string>>();
  for (let last = 0n; ;) {
    const after = last;
    const lines = await database.asSystem((tx) => saidIn(tx, conversationId, personId, after));
    for (const [id, words] of await wordsOfLines(lines, ALL_TIME)) gone.set(id, words);
    await emptyElsewhere(
      database,
      lines.map((line) => ({ ...line, conversationId })),
    );
    if (lines.length < BATCH) break;
    last = lastOf(lines).id;
  }
  const [first] = gone.keys();
  if (first === undefined) return;
  const words = allOf(gone.values());
  // The lock waits for an undo or a sealing under way.
  const unsealQuotes = () =>
    database.asSystem(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM conversations WHERE conversation_id = ${conversationId}::uuid FOR UPDATE`;
      await unseal(tx, mayRepeat({ id: first, personId, conversationId }), words);
    });
  // Before the search: a later undo must find no such reply.
  await unsealQuotes();
  await database.asSystem((tx) =>
    withdrawQuestions(tx, personId, conversationsOfPlaces([conversationId]), words),
  );
  const where = { conversationId, first, gone, withReplies: true };
  for await (const quotes of quotesFrom((work) => database.asSystem(work), where)) {
    if (quotes.length === 0) continue;
    await database.asSystem(async (tx) => {
      // Whatever is answered just now in the place may have been told them.
      await countChange(tx, sql`conversation_id IN (${conversationsOfPlaces([conversationId])})`);
      const elsewhere = await quotesOfLines(tx, [conversationId], quotes, words);
      await emptyLines(tx, [...quotes, ...elsewhere], 'forgotten');
    });
  }
  // Again: replies may have been sealed during the search.
  await unsealQuotes();
}
