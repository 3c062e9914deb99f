import { memoryContract, type MemoryAnswer, type MemoryRequest } from '@kith/contracts';
import type { Database, SealedRows } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { IndexWriter } from '../index/index-writer.js';
import { endAgain, readRevived } from './end-again.js';
import { keepForgotten } from './keep-forgotten.js';
import { lockPerson } from '../rows/memory-row.js';
import { ENDING } from './take-away.js';

/** Restores what an order to forget removed. */
export class ForgottenRestorer {
  constructor(
    private readonly database: Database,
    private readonly sealed: SealedRows,
    private readonly writer: IndexWriter,
    private readonly messenger: Pick<Messenger, 'enqueue'>,
  ) {}

  /**
   * Restores the rows that no later order names, and deletes the record that kept late jobs from storing them. Safe to
   * repeat. Returns the number of restored rows, and the turns that were not remembered yet when they were forgotten,
   * and are to be remembered now.
   */
  async undo(request: MemoryRequest<'undoForget'>): Promise<MemoryAnswer<'undoForget'>> {
    const { orderId, personId, turnIds } = request;
    const { rows, companions, unread } = await this.database.asPerson(personId, async (tx) => {
      await lockPerson(tx, personId);
      const revived = await readRevived(tx, orderId);
      const restored = await this.sealed.restore(tx, orderId, { memories: ENDING });
      await endAgain(tx, personId, revived, restored);
      const record = await tx.forgetRecord.findUnique({ where: { id: orderId } });
      if (record) await keepForgotten(tx, this.sealed, record, restored);
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
    await this.writer.indexPendingLater(personId, 'undo');
    for (const companionId of companions) {
      await this.messenger.enqueue(memoryContract.extract, { whose: [{ personId, companionId }] });
    }
    return { rows, unread };
  }
}
