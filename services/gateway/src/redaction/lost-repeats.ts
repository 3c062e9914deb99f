import { firstOf } from '@kith/contracts';
import type { Database, ForgetOrderModel, Tx } from '@kith/database';
import { comparingTimeOf } from '../quotes/comparing-time.js';
import { chooseLost, type LineChoice } from './choose-lines.js';
import { conversationsOfPlaces, emptyLines, outdateReplies, sealLines } from './empty-lines.js';
import { noteReplies } from './remove-lines.js';
import { quotesFrom, quotesOfLines, wordsOfAll } from './reply-quotes.js';
import { mayRepeat, sealedRepeats } from './sealed-replies.js';
import { withdrawQuestions } from './empty-calls.js';

/** Message whose line is gone, with the first line of its conversation that was said after it. */
export interface LostBefore {
  messageId: string;
  conversationId: string;
  nextId: bigint;
}

/** Messages of a conversation that are looked at: replies that are left had only the last in view, some rounds of talk. */
const MAX_LOST = 200;

/**
 * Tells whether retention has taken lines of a person: it takes those of their first turn first. Costs little where it is
 * off, as it mostly is.
 */
export async function hasLostLines(database: Database, personId: string): Promise<boolean> {
  const rows = await database.reader('system').$queryRaw<{ isLost: boolean }[]>`
    SELECT coalesce((
      SELECT NOT EXISTS (SELECT 1 FROM transcript WHERE transcript.turn_id = first.turn_id)
      FROM (SELECT turn_id FROM turns WHERE person_id = ${personId}::uuid ORDER BY ended_at LIMIT 1) AS first
    ), false) AS "isLost"`;
  return firstOf(rows).isLost;
}

/** Finds each conversation's last named messages whose lines are gone while later ones of it are left. */
export function findLost(database: Database, choice: LineChoice): Promise<LostBefore[]> {
  return database.asSystem(async (tx) => {
    const all = Map.groupBy(await chooseLost(tx, choice), ({ conversationId }) => conversationId);
    const lost = [...all.values()].flatMap((some) => some.slice(-MAX_LOST));
    if (lost.length === 0) return [];
    return tx.$queryRaw<LostBefore[]>`
      SELECT said.message_id AS "messageId", turns.conversation_id::text AS "conversationId", next.id AS "nextId"
      FROM unnest(${lost.map(({ messageId }) => messageId)}::text[], ${lost.map(({ turnId }) => turnId)}::uuid[])
        AS said (message_id, turn_id)
      JOIN turns USING (turn_id)
      CROSS JOIN LATERAL (
        SELECT line.id FROM transcript AS line JOIN turns AS later ON later.turn_id = line.turn_id
        WHERE line.conversation_id = turns.conversation_id AND later.started_at > turns.started_at
        ORDER BY line.id LIMIT 1) AS next`;
  });
}

/**
 * Removes the replies that repeat these texts, if their turns tell that such messages were in view, and further replies
 * that repeat those. Notes them with the order. Safe to repeat. Returns whether some were left out for lack of time.
 */
export function removeRepeats(
  database: Database,
  {
    id: orderId,
    personId,
    undoUntil: until,
    reason,
  }: Pick<ForgetOrderModel, 'id' | 'personId' | 'undoUntil' | 'reason'>,
  told: readonly (LostBefore & { text: string })[],
): Promise<boolean> {
  const places = Map.groupBy(told, ({ conversationId }) => conversationId);
  return database.asSystem(async (tx) => {
    await outdateReplies(tx, personId, [...places.keys()]);
    for (const [conversationId, texts] of places) {
      const words = await wordsOfAll(tx, texts);
      const ids = await repeatsIn(tx, conversationId, texts, words);
      const which = mayRepeat({ id: firstNextOf(texts) - 1n, personId, conversationId });
      const sealed = await sealedRepeats(tx, { orderId, until }, which, words);
      if (until !== null) await sealLines(tx, { orderId, personId, until }, ids);
      await emptyLines(tx, ids, reason === 'deleted' || reason === 'edited' ? reason : 'forgotten');
      await withdrawQuestions(tx, personId, conversationsOfPlaces([conversationId]), words);
      await noteReplies(tx, orderId, [...ids, ...sealed], []);
    }
    return comparingTimeOf(tx).ranOut;
  });
}

/** Returns the first line after the first of these messages. */
function firstNextOf(lost: readonly LostBefore[]): bigint {
  return lost.reduce((least, { nextId }) => (nextId < least ? nextId : least), firstOf(lost).nextId);
}

async function repeatsIn(
  tx: Tx,
  conversationId: string,
  lost: readonly LostBefore[],
  words: ReadonlySet<string>,
): Promise<bigint[]> {
  const first = firstNextOf(lost);
  const last = lost.reduce((most, { nextId }) => (nextId > most ? nextId : most), first);
  const where = { conversationId, first, gone: new Map(), withReplies: false, lost: { words, before: last } };
  const found: bigint[] = [];
  for await (const page of quotesFrom((work) => work(tx), where)) {
    found.push(...page);
    if (comparingTimeOf(tx).isOver()) break;
  }
  return [...found, ...(await quotesOfLines(tx, [conversationId], found, words))];
}
