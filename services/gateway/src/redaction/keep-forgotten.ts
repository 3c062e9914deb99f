import { ForgetNamed } from '@kith/contracts';
import { sql, type ForgetOrderModel, type Tx } from '@kith/database';
import { z } from 'zod';
import { chooseLines, linesOf, markOpen } from './choose-lines.js';
import { conversationsOfPlaces, emptyLines, sealLines } from './empty-lines.js';
import { noteReplies } from './note-replies.js';
import { stillTaken } from './sealed-replies.js';
import { takeOut } from './take-out.js';

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
 * Removes again the restored lines that a later order covers, in a channel also another person's order. That order missed
 * them because they were sealed when it ran.
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
      AND at >= (SELECT at FROM forget_orders WHERE id = ${orderId}::uuid)
      AND id IN (
        SELECT id FROM forget_orders WHERE person_id = ${personId}::uuid
        UNION SELECT order_id FROM sealed_lines JOIN transcript AS line ON line.id = line_id
          WHERE conversation_id IN (${conversationsOfPlaces(sealedIn)}))
    ORDER BY at`;
  for (const { id, personId: by, companionId, what, at, undoUntil: until } of later) {
    const order = { orderId: id, personId: by, until };
    if (by === personId) {
      const lines = linesOf(ForgetNamed.parse(what), notedSources({ what }), at);
      const choice = { personId, companionId, what: lines };
      await markOpen(tx, id, choice);
      await takeOut(tx, order, await chooseLines(tx, choice));
    }
    const repeating = await stillTaken(tx, orderId, id);
    if (until !== null) await sealLines(tx, { ...order, until }, repeating);
    await emptyLines(tx, repeating, 'forgotten');
    await noteReplies(tx, id, repeating, []);
  }
}
