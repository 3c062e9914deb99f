import type { RestoredRow, Tx } from '@kith/database';
import { chainStored } from '../facts/chain-facts.js';
import { rewordFacts, saveTexts } from '../facts/chosen-name.js';
import { describeFact } from '../facts/describe-fact.js';
import { factOf } from '../facts/fact-records.js';
import { WITHDRAWN } from './take-away.js';

/** A fact that holds again since an order removed the one that had ended it. */
interface Revived {
  id: string;
  companionId: string;
  attribute: string;
}

/** Reads the facts that an order revived, as long as it can be undone. */
export function readRevived(tx: Tx, orderId: string): Promise<Revived[]> {
  return tx.$queryRaw<Revived[]>`
    SELECT row ->> 'id' AS id, row ->> 'companion_id' AS "companionId", row ->> 'attribute' AS attribute
    FROM memory_sealed_rows
    WHERE order_id = ${orderId}::uuid AND relation = 'memories' AND key IS NOT NULL AND until > now()
      AND row ->> 'attribute' IS NOT NULL AND row ->> 'shelf' <> ${WITHDRAWN}`;
}

/**
 * Brings revived facts into line with what an undo restored: the sentences of those that are ended again say so, also
 * where their owner put them right meanwhile. One that was told again since ends what had ended it.
 */
export async function endAgain(
  tx: Tx,
  personId: string,
  revived: readonly Revived[],
  restored: ReadonlyMap<string, readonly RestoredRow[]>,
): Promise<void> {
  if (revived.length === 0) return;
  const back = new Set(restored.get('memories')?.map(({ id }) => id));
  const ids = revived.map(({ id }) => id).filter((id) => back.has(id));
  const ended = await tx.memory.findMany({ where: { personId, id: { in: ids } } });
  await saveTexts(
    tx,
    ended.map((row) => ({ id: row.id, text: describeFact(factOf(row), row.speaker ?? 'The person') })),
  );
  for (const [companionId, facts] of Map.groupBy(revived, (fact) => fact.companionId))
    await chainStored(
      tx,
      { personId, companionId },
      facts.map(({ attribute }) => attribute),
    );
  await rewordFacts(tx, { personId });
}
