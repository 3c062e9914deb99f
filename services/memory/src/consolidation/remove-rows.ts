import type { Tx } from '@kith/database';
import type { Pair } from '../rows/memory-scope.js';

/** Removes rows, and notes their points as pending. Any message may be kept again. */
export async function removeRows(tx: Tx, { personId, companionId }: Pair, ids: string[]): Promise<void> {
  await tx.memory.deleteMany({ where: { id: { in: ids } } });
  await tx.forgetRecord.create({
    data: { personId, companionId, everything: false, sources: [], pending: ids },
  });
}
