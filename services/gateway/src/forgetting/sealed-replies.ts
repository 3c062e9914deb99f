import { sql, type Sql, type Tx } from '@kith/database';
import { repeats, tellingWords } from './find-quotes.js';
import { quotesOf } from './load-quotes.js';

/** Reply whose words are sealed, or were until they were put back. */
interface SealedReply {
  id: bigint;
  turnId: string;
  conversationId: string;
  personId: string;
  text: string;
  at: Date;
}

/** Line that an order took, with its sealed words. */
interface TakenLine extends SealedReply {
  role: string;
}

/** Line whose words are gone for good. */
interface LostLine {
  id: bigint;
  personId: string;
  conversationId: string;
  turnId: string;
}

/**
 * Deletes the seals of replies that repeat words of a line which no undo may bring back: in its conversation whoever was
 * told, elsewhere what its own person was told. Their words can't be searched where they were. With `withReplies`, the
 * reply in its turn loses its seal as well.
 */
export async function unsealReplies(
  tx: Tx,
  { id, personId, conversationId, turnId }: LostLine,
  words: ReadonlySet<string>,
  withReplies: boolean,
): Promise<void> {
  const which = sql`line.id > ${id}
    AND (line.conversation_id = ${conversationId}::uuid OR line.person_id = ${personId}::uuid)`;
  await unsealWhere(tx, which, words, withReplies ? turnId : null);
}

/** Deletes the seals of replies in these turns that repeat words which no undo may bring back. */
export function unsealRecalled(
  tx: Tx,
  turnIds: readonly string[],
  words: ReadonlySet<string>,
): Promise<void> {
  return unsealWhere(tx, sql`line.turn_id = ANY (${[...turnIds]}::uuid[])`, words, null);
}

async function unsealWhere(
  tx: Tx,
  which: Sql,
  words: ReadonlySet<string>,
  turnId: string | null,
): Promise<void> {
  const replies = await tx.$queryRaw<SealedReply[]>`
    SELECT line.id, line.turn_id::text AS "turnId", line.conversation_id::text AS "conversationId",
      line.person_id::text AS "personId", line.at, sealed.text
    FROM sealed_lines AS sealed JOIN transcript AS line ON line.id = sealed.line_id
    WHERE line.role = 'companion' AND ${which}`;
  const saidIn = await wordsSaidIn(tx, replies);
  const lost = replies.filter(
    (reply) => reply.turnId === turnId || repeats(reply.text, words, saidIn(reply.turnId)),
  );
  await tx.sealedLine.deleteMany({ where: { lineId: { in: lost.map(({ id }) => id) } } });
}

/**
 * Finds, of the replies that the undo of one order has put back, those that reply to what a later order took, or repeat
 * it. Their words lay sealed when that one looked for them.
 */
export async function stillTaken(tx: Tx, undoneId: string, laterId: string): Promise<bigint[]> {
  const restored = await tx.$queryRaw<SealedReply[]>`
    SELECT line.id, line.turn_id::text AS "turnId", line.conversation_id::text AS "conversationId",
      line.person_id::text AS "personId", line.at, line.text
    FROM sealed_lines AS sealed JOIN transcript AS line ON line.id = sealed.line_id
    WHERE sealed.order_id = ${undoneId}::uuid AND line.role = 'companion' AND line.withheld IS NULL`;
  if (restored.length === 0) return [];
  const taken = await tx.$queryRaw<TakenLine[]>`
    SELECT line.id, line.turn_id::text AS "turnId", line.conversation_id::text AS "conversationId",
      line.person_id::text AS "personId", line.at, line.role, sealed.text
    FROM sealed_lines AS sealed JOIN transcript AS line ON line.id = sealed.line_id
    WHERE sealed.order_id = ${laterId}::uuid AND line.withheld = 'forgotten' ORDER BY line.id`;
  // What a reply repeated was looked for among the person's words alone: its own words are no sign.
  const gone = new Map(
    taken.map(({ id, role, text }) => [id, role === 'person' ? tellingWords(text) : new Set<string>()]),
  );
  const quotes = new Set(await quotesOf(tx, taken, gone, true));
  const saidIn = await wordsSaidIn(tx, restored);
  const repeatsElsewhere = ({ conversationId, personId, turnId, at, text }: SealedReply) => {
    const told = taken.filter(
      (line) =>
        line.conversationId !== conversationId &&
        line.personId === personId &&
        line.at.getTime() <= at.getTime(),
    );
    return repeats(text, new Set(told.flatMap(({ id }) => [...(gone.get(id) ?? [])])), saidIn(turnId));
  };
  return restored.filter((reply) => quotes.has(reply.id) || repeatsElsewhere(reply)).map(({ id }) => id);
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
  const said = Map.groupBy(lines, ({ turnId }) => turnId);
  return (turnId) => new Set(said.get(turnId)?.flatMap(({ text }) => [...tellingWords(text)]));
}
