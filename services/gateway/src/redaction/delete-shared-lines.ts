import { lastOf, type Door } from '@kith/contracts';
import { deleteInBatches, inBatches, sql, type Database, type Tx } from '@kith/database';
import { chooseUnlined } from './choose-lines.js';
import { countChange, emptyLines, outdateReplies } from './empty-lines.js';
import {
  conversationsQuoting,
  quotesElsewhere,
  ALL_TIME,
  quotesFrom,
  wordsOfAll,
  wordsOfLines,
  type QuotedWithoutLine,
} from './reply-quotes.js';
import { unsealElsewhere, unsealReplies } from './sealed-replies.js';

/** Lines that one transaction changes: a fraction of a second. */
const BATCH = 1_000;

/** A line of the person who is erased. */
interface OwnLine {
  id: bigint;
  text: string;
  door: Door;
  messageId: string | null;
}

/**
 * Deletes what a person said and was told in channels, with the replies to others that repeat it. Withholds the lines
 * first, so that no later turn sees them, and discards replies under way. Deletes the words last: a second run after an
 * interruption needs them to find the rest.
 * @param forgetNotes forgets companions' notes about others that repeat the lines; runs while the lines still exist
 */
export async function deleteSharedLines(
  database: Pick<Database, 'asSystem' | 'write'>,
  personId: string,
  forgetNotes: () => Promise<void>,
): Promise<void> {
  await inBatches(BATCH, () => database.asSystem((tx) => withholdShared(tx, personId)));
  await database.asSystem((tx) => emptyWaitingQuotes(tx, personId));
  await database.asSystem((tx) => outdateReplies(tx, personId));
  await forgetNotes();
  const unlined = { personId, companionId: null, what: { before: new Date() } };
  await emptyElsewhere(database, await database.asSystem((tx) => chooseUnlined(tx, unlined)));
  for (const conversationId of await database.asSystem((tx) => channelsOf(tx, personId))) {
    await emptyQuotes(database, conversationId, personId);
    const which = sql`conversation_id = ${conversationId}::uuid AND person_id = ${personId}::uuid`;
    await deleteInBatches(database, 'system', 'transcript', which, BATCH);
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
 * Removes quotes of the person's words, and of replies to them, from waiting messages, before the rows that tell whose
 * words those are get deleted. A reply that is written just now may have been told them.
 */
async function emptyWaitingQuotes(tx: Tx, personId: string): Promise<void> {
  const emptied = await tx.$queryRaw<{ conversationId: string }[]>`
    UPDATE inbox SET quote = NULL
    WHERE outcome IS NULL AND quote IS NOT NULL AND (
      EXISTS (SELECT 1 FROM inbox AS said WHERE said.person_id = ${personId}::uuid
        AND said.door = inbox.door AND said.external_id = inbox.quote ->> 'messageId')
      OR EXISTS (SELECT 1 FROM outbox WHERE outbox.person_id = ${personId}::uuid
        AND outbox.door = inbox.door AND inbox.quote ->> 'messageId' = ANY (platform_ids)))
    RETURNING conversation_id::text AS "conversationId"`;
  const places = [...new Set(emptied.map(({ conversationId }) => conversationId))];
  await countChange(tx, sql`conversation_id = ANY (${places}::uuid[])`);
}

/** Finds the channels in which a person had a turn. */
async function channelsOf(tx: Tx, personId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT conversation_id AS id FROM turns JOIN conversations USING (conversation_id)
    WHERE turns.person_id = ${personId}::uuid AND conversations.person_id IS NULL`;
  return rows.map(({ id }) => id);
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
    const words = await wordsOfAll(
      tx,
      messages.map(({ text }) => text),
    );
    await emptyLines(tx, await quotesElsewhere(tx, messages, words), 'forgotten');
    await unsealElsewhere(tx, messages, words);
  });
}

/** Empties the replies that answer or repeat a person's lines in a conversation. No undo of another person restores one. */
async function emptyQuotes(
  database: Pick<Database, 'asSystem'>,
  conversationId: string,
  personId: string,
): Promise<void> {
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
  const words = new Set([...gone.values()].flatMap((some) => [...some]));
  // The lock waits for an undo or a sealing under way.
  const unseal = () =>
    database.asSystem(async (tx) => {
      await tx.$queryRaw`SELECT 1 FROM conversations WHERE conversation_id = ${conversationId}::uuid FOR UPDATE`;
      await unsealReplies(tx, { id: first, personId, conversationId }, words, null);
    });
  // Before the search: a later undo must find no such reply.
  await unseal();
  const where = { conversationId, first, gone, withReplies: true };
  for await (const quotes of quotesFrom((work) => database.asSystem(work), where)) {
    if (quotes.length > 0) await database.asSystem((tx) => emptyLines(tx, quotes, 'forgotten'));
  }
  // Again: replies may have been sealed during the search.
  await unseal();
}
