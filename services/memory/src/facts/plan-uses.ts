import type { Exchange } from '@kith/contracts';
import { analyseIn, languageOf } from '../words/analyse-text.js';
import type { SaidLine } from './plan-facts.js';
import type { MemoryRow } from '../rows/memory-row.js';

/** A memory that a reply was written with. */
export type MemoryInReply = Pick<MemoryRow, 'id' | 'text' | 'speaker' | 'lastUsedAt'>;

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
  memories: readonly MemoryInReply[],
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

/** Words of a memory that a reply must have: two are hardly chance; of a short memory, half are enough. */
const MAX_WORDS = 2;
const MIN_SHARE = 0.5;

/** Tells whether a reply speaks of a memory: by its words that were not in the messages just before. Pure. */
export function wasUsed(
  memory: { text: string; speaker: string | null },
  { said, reply }: { said: readonly string[]; reply: string },
): boolean {
  const language = languageOf(memory.text);
  const termsOf = (text: string) => analyseIn(text, language);
  const known = new Set([...said, memory.speaker ?? ''].flatMap(termsOf));
  const told = new Set(termsOf(reply));
  const own = [...new Set(termsOf(memory.text))].filter((term) => !known.has(term));
  const used = own.filter((term) => told.has(term)).length;
  return used > 0 && used >= Math.min(MAX_WORDS, own.length * MIN_SHARE);
}
