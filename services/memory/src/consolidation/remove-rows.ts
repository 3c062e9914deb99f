import type { Tx } from '@kith/database';

/** Removes rows, and notes their points as pending. Any message may be kept again. */
export async function removeRows(
  tx: Tx,
  { personId, companionId }: { personId: string; companionId: string },
  ids: string[],
): Promise<void> {
  await tx.memory.deleteMany({ where: { id: { in: ids } } });
  await tx.forgetRecord.create({
    data: { personId, companionId, everything: false, sources: [], pending: ids },
  });
}
