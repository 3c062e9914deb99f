import { deleteInBatches, sql, type Database, type Tx } from '@kith/database';
import { emptyLines, outdateReplies } from './empty-lines.js';
import { quotesFrom, wordsOfLines } from './load-quotes.js';

/** Lines that one transaction changes: a fraction of a second. */
const BATCH = 1_000;

/** A line of the person who is erased. */
interface OwnLine {
  id: bigint;
  text: string;
}

/**
 * Deletes what a person said and was told in channels, with the replies to others that repeat it. From the first step on
 * it is told to nobody, and nobody's turn that is under way keeps a reply that was written with it. The words go last:
 * broken off, it finds with them what it had not found yet.
 */
export async function deleteSharedLines(
  database: Pick<Database, 'asSystem' | 'write'>,
  personId: string,
): Promise<void> {
  const channels = await database.asSystem(async (tx) => {
    await outdateReplies(tx, personId);
    return withholdShared(tx, personId);
  });
  for (const conversationId of channels) {
    const own = await database.asSystem((tx) => saidIn(tx, conversationId, personId));
    await emptyQuotes(database, conversationId, own);
    const which = sql`conversation_id = ${conversationId}::uuid AND person_id = ${personId}::uuid`;
    await deleteInBatches(database, 'system', 'transcript', which, BATCH);
  }
}

/** Withholds a person's lines in channels. Returns the channels. */
async function withholdShared(tx: Tx, personId: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ conversationId: string }[]>`
    WITH withheld AS (
      UPDATE transcript AS line SET withheld = 'forgotten' FROM conversations
      WHERE line.person_id = ${personId}::uuid AND conversations.conversation_id = line.conversation_id
        AND conversations.person_id IS NULL
      RETURNING line.conversation_id
    )
    SELECT DISTINCT conversation_id AS "conversationId" FROM withheld`;
  return rows.map(({ conversationId }) => conversationId);
}

/** Reads what somebody said in a conversation, in order. */
function saidIn(tx: Tx, conversationId: string, personId: string): Promise<OwnLine[]> {
  return tx.$queryRaw<OwnLine[]>`
    SELECT id, text FROM transcript
    WHERE conversation_id = ${conversationId}::uuid AND person_id = ${personId}::uuid AND role = 'person'
    ORDER BY id`;
}

/** Empties the replies that go with these lines of a conversation. */
async function emptyQuotes(
  database: Pick<Database, 'asSystem'>,
  conversationId: string,
  own: readonly OwnLine[],
): Promise<void> {
  const [first] = own;
  if (!first) return;
  const gone = await wordsOfLines(own, Number.POSITIVE_INFINITY);
  const where = { conversationId, first: first.id, gone, withReplies: true };
  for await (const quotes of quotesFrom((work) => database.asSystem(work), where)) {
    if (quotes.length > 0) await database.asSystem((tx) => emptyLines(tx, quotes, 'forgotten'));
  }
}
