import { randomUUID } from 'node:crypto';
import { toJsonb, type Tx, sql, type Sql } from '@kith/database';
import { z } from 'zod';

/** A reply of which less, or more, was said than was thought, as an order tells the services. */
export const UnsaidReply = z.object({ turnId: z.uuid() });

/** What arrived of a reply: all of it, nothing, or these words. */
export type Said = 'all' | 'nothing' | { text: string };

/**
 * A reply of which nothing arrived was not said; one that arrives in the end was; of one that broke off, the part that
 * arrived. What was forgotten while it was on its way keeps no copy of its words. Where that changes what may be told,
 * what was made of it is ordered to be looked at again.
 */
export async function noteSaid(tx: Tx, turnId: string, said: Said): Promise<void> {
  const lines = await tx.$queryRaw<{ personId: string }[]>`
    WITH emptied AS (
      UPDATE outbox SET text = '' WHERE turn_id = ${turnId}::uuid AND status <> 'pending' AND EXISTS (
        SELECT 1 FROM transcript WHERE turn_id = ${turnId}::uuid AND role = 'companion' AND withheld IS NOT NULL AND text = '')
    )
    UPDATE transcript ${changeFor(said)} AND turn_id = ${turnId}::uuid AND role = 'companion'
    RETURNING person_id AS "personId"`;
  if (lines.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO forget_orders (id, person_id, reason, what)
    VALUES (${randomUUID()}::uuid, ${lines[0]!.personId}::uuid, 'undelivered', ${toJsonb({ turnId })}::jsonb)`;
}

function changeFor(said: Said): Sql {
  if (said === 'all') return sql`SET withheld = NULL WHERE withheld = 'undelivered'`;
  if (said === 'nothing') return sql`SET withheld = 'undelivered' WHERE withheld IS NULL`;
  return sql`SET withheld = NULL, text = ${said.text}
    WHERE (withheld = 'undelivered' OR withheld IS NULL AND text <> ${said.text})`;
}
