import { randomUUID } from 'node:crypto';
import { toJsonb, type Tx, sql, type Sql } from '@kith/database';
import { z } from 'zod';

/** Order to look again at a reply of which less or more arrived than was thought. */
export const UndeliveredReply = z.object({ turnId: z.uuid() });

/** Part of a reply that arrived: all of it, nothing, or these words. */
export type Said = 'all' | 'nothing' | { text: string };

/**
 * Notes how much of a reply arrived. Where that changes what may be told, what was made of the reply is ordered to be
 * looked at again. A reply that was forgotten on its way keeps no copy of its words.
 */
export async function noteDelivered(tx: Tx, turnId: string, said: Said): Promise<void> {
  const [line] = await tx.$queryRaw<{ personId: string }[]>`
    WITH emptied AS (
      UPDATE outbox SET text = '' WHERE turn_id = ${turnId}::uuid AND status <> 'pending' AND EXISTS (
        SELECT 1 FROM transcript WHERE turn_id = ${turnId}::uuid AND role = 'companion' AND withheld IS NOT NULL AND text = '')
    )
    UPDATE transcript ${changeFor(said)} AND turn_id = ${turnId}::uuid AND role = 'companion'
    RETURNING person_id AS "personId"`;
  if (!line) return;
  await tx.$executeRaw`
    INSERT INTO forget_orders (id, person_id, reason, what)
    VALUES (${randomUUID()}::uuid, ${line.personId}::uuid, 'undelivered', ${toJsonb({ turnId })}::jsonb)`;
}

function changeFor(said: Said): Sql {
  if (said === 'all') return sql`SET withheld = NULL WHERE withheld = 'undelivered'`;
  if (said === 'nothing') return sql`SET withheld = 'undelivered' WHERE withheld IS NULL`;
  return sql`SET withheld = NULL, text = ${said.text}
    WHERE (withheld = 'undelivered' OR withheld IS NULL AND text <> ${said.text})`;
}
