import type { Exchange } from '@kith/contracts';
import type { SaidLine } from './plan-facts.js';
import { wasUsed } from './was-used.js';
import type { MemoryRow } from '../rows/memory-row.js';

/** A memory that a reply was written with. */
export type RecalledMemory = Pick<MemoryRow, 'id' | 'text' | 'speaker' | 'lastUsedAt'>;

/** A count of the replies that spoke of a memory, and the time of the last. */
export interface MemoryUse {
  id: string;
  count: number;
  at: Date;
}

/**
 * Counts the replies that spoke of a recalled memory, which is then recalled sooner. A turn that is read again counts
 * once. Pure.
 */
export function planUses(
  memories: readonly RecalledMemory[],
  said: readonly SaidLine[],
  exchanges: readonly Exchange[],
): MemoryUse[] {
  const uses = new Map<string, MemoryUse>();
  for (const { turnId, reply, recalled } of exchanges) {
    const own = said.filter((line) => line.turnId === turnId);
    if (reply === null || own.length === 0) continue;
    const at = own.map(({ saidAt }) => saidAt).reduce((a, b) => (a < b ? b : a));
    for (const memory of memories.filter(({ id }) => recalled.includes(id))) {
      if (memory.lastUsedAt !== null && memory.lastUsedAt >= at) continue;
      if (!wasUsed(memory, { said: own.map(({ text }) => text), reply })) continue;
      const { id } = memory;
      const before = uses.get(id) ?? { count: 0, at };
      uses.set(id, { id, count: before.count + 1, at: before.at < at ? at : before.at });
    }
  }
  return [...uses.values()];
}
