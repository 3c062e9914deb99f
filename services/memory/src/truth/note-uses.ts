import type { Exchange } from '@kith/contracts';
import type { Tx } from '@kith/database';
import type { MemoryRow } from '../storage/memory-records.js';
import { wasUsed } from './was-used.js';

/**
 * Counts which of the recalled memories the replies spoke of: what proves itself so is recalled sooner. A turn that is
 * read again counts once.
 */
export async function noteUses(
  tx: Tx,
  personId: string,
  said: readonly MemoryRow[],
  exchanges: readonly Exchange[],
): Promise<void> {
  const ids = [...new Set(exchanges.flatMap(({ recalled }) => recalled))];
  if (ids.length === 0) return;
  const memories = await tx.memory.findMany({ where: { personId, id: { in: ids } } });
  const uses = new Map<string, { count: number; at: Date }>();
  for (const { turnId, reply, recalled } of exchanges) {
    const own = said.filter((line) => line.turnId === turnId);
    if (reply === null || own.length === 0) continue;
    const at = own.map(({ saidAt }) => saidAt).reduce((a, b) => (a < b ? b : a));
    for (const memory of memories.filter(({ id }) => recalled.includes(id))) {
      if (memory.lastUsedAt !== null && memory.lastUsedAt >= at) continue;
      if (!wasUsed(memory, { said: own.map(({ text }) => text), reply })) continue;
      const { count, at: before } = uses.get(memory.id) ?? { count: 0, at };
      uses.set(memory.id, { count: count + 1, at: before < at ? at : before });
    }
  }
  for (const [id, { count, at }] of uses) {
    await tx.memory.update({
      where: { id },
      data: { timesUsed: { increment: count }, lastUsedAt: at },
      select: { id: true },
    });
  }
}
