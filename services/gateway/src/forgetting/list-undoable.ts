import { timesAsText, UndoableList } from '@kith/contracts';
import type { Database } from '@kith/database';
import type { z } from 'zod';

/** Lists a person's own orders to forget that can still be undone, the newest first: their receipts may be lost. */
export async function listUndoable(
  database: Database,
  personId: string,
): Promise<z.output<typeof UndoableList>> {
  // Orders about notes on others are undone with the order that gave them.
  const orders = await database.reader({ personId }).$queryRaw<{ at: Date; undoUntil: Date }[]>`
    SELECT id AS receipt, companion_id AS "companionId", what, keep_talk AS "keepTalk", at, undo_until AS "undoUntil"
    FROM forget_orders
    WHERE person_id = ${personId}::uuid AND reason = 'forgotten' AND undo_until > now() AND NOT jsonb_exists(what, 'ofOther')
    ORDER BY at DESC, id DESC`;
  return UndoableList.parse({ orders: orders.map(timesAsText) });
}
