import type { Tx } from '@kith/database';

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
