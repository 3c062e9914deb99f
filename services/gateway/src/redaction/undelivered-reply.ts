import { randomUUID } from 'node:crypto';
import { type Tx, sql, type Sql } from '@kith/database';
import { z } from 'zod';
import { Uuid } from '@kith/contracts';

/**
 * Order to read a reply again, of which less or more arrived than was thought. Its row also notes the conversation's count
 * of changes (`retold`), which rises whenever something is forgotten there.
 */
export const UndeliveredReply = z.object({ turnId: Uuid });

/** Part of a reply that arrived: all of it, nothing, or these words. */
export type ArrivedPart = 'all' | 'nothing' | { text: string };

/**
 * Notes how much arrived of a reply that has come to its end. If that changes what may be told, orders what was derived from
 * it to be checked again. A reply whose line lost its words on the way, or is gone, keeps no copy of them.
 */
export async function noteDelivered(tx: Tx, turnId: string, said: ArrivedPart): Promise<void> {
  const [line] = await tx.$queryRaw<{ personId: string; conversationId: string }[]>`
    WITH emptied AS (
      UPDATE outbox SET text = '' WHERE turn_id = ${turnId}::uuid AND NOT EXISTS (
        SELECT 1 FROM transcript WHERE turn_id = ${turnId}::uuid AND role = 'companion' AND text <> '')
    )
    UPDATE transcript ${changeFor(said)} AND turn_id = ${turnId}::uuid AND role = 'companion'
    RETURNING person_id AS "personId", conversation_id AS "conversationId"`;
  if (!line) return;
  await tx.$executeRaw`
    INSERT INTO forget_orders (id, person_id, reason, what)
    VALUES (${randomUUID()}::uuid, ${line.personId}::uuid, 'undelivered', jsonb_build_object('turnId', ${turnId}::text,
      'retold', (SELECT retold FROM conversations WHERE conversation_id = ${line.conversationId}::uuid)))`;
}

/**
 * Returns what a reply's line tells once its rest has arrived as well; the line may have been cut while the rest was
 * refused. The line stays cut if something was forgotten in the conversation since, because nobody searched the rest.
 */
export async function saidInTheEnd(
  tx: Tx,
  { turnId, personId, text }: { turnId: string; personId: string; text: string },
): Promise<ArrivedPart> {
  const [line] = await tx.$queryRaw<{ isAsItWas: boolean | null }[]>`
    SELECT (SELECT bool_and((what ->> 'retold')::int = retold) FROM forget_orders
        WHERE person_id = ${personId}::uuid AND reason = 'undelivered' AND what ->> 'turnId' = ${turnId}) AS "isAsItWas"
    FROM transcript JOIN conversations USING (conversation_id)
    WHERE turn_id = ${turnId}::uuid AND role = 'companion' AND withheld IS NULL AND transcript.text <> ''`;
  return line?.isAsItWas ? { text } : 'all';
}

/**
 * Tells whether the rest of a reply may hold forgotten words: its line was cut to what arrived, and something was forgotten
 * in the conversation since, or the order that noted its count of changes is deleted.
 */
export async function mayHoldForgotten(
  tx: Tx,
  { turnId, personId, text }: { turnId: string; personId: string; text: string },
): Promise<boolean> {
  const found = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM transcript AS line JOIN conversations USING (conversation_id)
    WHERE turn_id = ${turnId}::uuid AND role = 'companion' AND withheld IS NULL AND line.text <> ${text}
      AND NOT coalesce((SELECT bool_and((what ->> 'retold')::int = retold) FROM forget_orders
        WHERE person_id = ${personId}::uuid AND reason = 'undelivered' AND what ->> 'turnId' = ${turnId}), false)`;
  return found.length > 0;
}

function changeFor(said: ArrivedPart): Sql {
  if (said === 'all') return sql`SET withheld = NULL WHERE withheld = 'undelivered'`;
  if (said === 'nothing') return sql`SET withheld = 'undelivered' WHERE withheld IS NULL`;
  return sql`SET withheld = NULL, text = ${said.text}
    WHERE (withheld = 'undelivered' OR withheld IS NULL AND text <> ${said.text})`;
}
