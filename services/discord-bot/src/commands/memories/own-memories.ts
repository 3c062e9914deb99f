import { memoryContract, type MemoryView } from '@kith/contracts';
import type { CommandContext } from '../command.js';

/** The most that memory lists in one answer. */
const PAGE = 200;
/** Only the person who asked can read an ephemeral answer, wherever they asked. */
export const AUDIENCE = 'direct';
/** Memories that a message shows, a line each. */
export const SHOWN = 10;

/** Reads the person's newest memories, as many as asked for, or all for an export, and counts all there are. */
export async function newestMemories(
  { messenger, companionId, personId }: CommandContext,
  count: number,
  { asKept } = { asKept: false },
): Promise<{ memories: MemoryView[]; total: number }> {
  const memories: MemoryView[] = [];
  let cursor: string | undefined;
  let total: number;
  do {
    const limit = Math.min(PAGE, count - memories.length);
    const request = { personId, companionId, audience: AUDIENCE, limit, cursor, asKept } as const;
    const page = await messenger.ask(memoryContract.list, request);
    memories.push(...page.memories);
    total = page.total;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && memories.length < count);
  return { memories, total };
}
