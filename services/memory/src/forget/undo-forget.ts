import { memoryContract, type MemoryAnswer, type MemoryRequest } from '@kith/contracts';
import type { Database, RestoredRow, SealedRows, Tx } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import { chainStored } from '../facts/chain-facts.js';
import { rewordFacts, saveTexts } from '../facts/chosen-name.js';
import { describeFact } from '../facts/describe-fact.js';
import { factOf } from '../facts/fact-records.js';
import type { IndexWriter } from '../index/index-writer.js';
import { keepForgotten } from './keep-forgotten.js';
import { lockPerson } from '../rows/memory-row.js';
import { ENDING, WITHDRAWN } from './remove-memories.js';

/** Collaborators of an undo. */
interface UndoParts {
  database: Database;
  sealed: SealedRows;
  writer: IndexWriter;
  messenger: Messenger;
}

/**
 * Restores the rows of an order to forget that no later order names, and deletes the record that kept late jobs from
 * storing them. Safe to repeat. Returns the number of restored rows, and the turns that were not remembered yet when they
 * were forgotten, and are to be remembered now.
 */
export async function undoForget(
  { database, sealed, writer, messenger }: UndoParts,
  { orderId, personId, turnIds }: MemoryRequest<'undoForget'>,
): Promise<MemoryAnswer<'undoForget'>> {
  const { rows, companions, unread } = await database.asPerson(personId, async (tx) => {
    await lockPerson(tx, personId);
    const revived = await readRevived(tx, orderId);
    const restored = await sealed.restore(tx, orderId, { memories: ENDING });
    await endAgain(tx, personId, revived, restored);
    const record = await tx.forgetRecord.findUnique({ where: { id: orderId } });
    if (record) await keepForgotten(tx, sealed, record, restored);
    const where = { personId, id: { in: record?.removed ?? [] } };
    await tx.memory.updateMany({ where, data: { indexedIn: null } });
    if (restored.size > 0 || record?.removed.length === 0)
      await tx.forgetRecord.deleteMany({ where: { id: orderId } });
    const there = await tx.memory.findMany({ where, select: { companionId: true } });
    const known = await tx.memory.findMany({
      where: { personId, turnId: { in: turnIds } },
      select: { turnId: true },
      distinct: ['turnId'],
    });
    const isKnown = new Set(known.map(({ turnId }) => turnId));
    return {
      rows: there.length,
      companions: [...new Set(there.map(({ companionId }) => companionId))],
      unread: turnIds.filter((turnId) => !isKnown.has(turnId)),
    };
  });
  await writer.indexPendingLater(personId, 'undo');
  for (const companionId of companions) {
    await messenger.enqueue(memoryContract.extract, { whose: [{ personId, companionId }] });
  }
  return { rows, unread };
}

/** A fact that holds again since an order removed the one that had ended it. */
interface Revived {
  id: string;
  companionId: string;
  attribute: string;
}

/** Reads the facts that an order revived, as long as it can be undone. */
function readRevived(tx: Tx, orderId: string): Promise<Revived[]> {
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
async function endAgain(
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
