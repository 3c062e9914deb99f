import { memoryRoutes, type MemoryKind, type MemoryShelf } from '@kith/contracts';
import { CliError } from '../input/cli-error.js';
import type { CommandContext } from '../suite/command-context.js';
import { readList } from '../suite/read-list.js';
import { allMemories, memoryPage, namedMemory } from './memory-pages.js';
import { heardIn, MEMORY_COLUMNS, MEMORY_ID } from './memory-columns.js';
import { WHY_COLUMNS } from './why-columns.js';

/** Most memories that one search finds. */
const MAX_FOUND = 100;

export interface MemoryOptions {
  companion?: string;
  kind?: MemoryKind;
  shelf?: MemoryShelf;
  archive?: boolean;
  limit: number;
  json?: boolean;
}

/** Prints the newest memories. */
export async function listMemories({ api, terminal }: CommandContext, options: MemoryOptions): Promise<void> {
  const { companion, kind, shelf, limit } = options;
  const { memories, total } = await readList('memories', limit, (page) =>
    memoryPage(api, { companion, kind, shelf, ...page }),
  );
  if (options.json) return terminal.json({ memories, total });
  if (memories.length === 0) return terminal.note('there are no memories yet');
  terminal.table(memories, MEMORY_COLUMNS);
  terminal.note(`${memories.length} of ${total}; forget one with kith memories forget ID`);
}

/** Prints what recall finds for a query, with the parts of each score. */
export async function searchMemories(
  { api, terminal }: CommandContext,
  query: string,
  options: MemoryOptions,
): Promise<void> {
  if (query.trim() === '') throw new CliError('say what to search for', 2);
  const { limit, companion } = options;
  const found = await api.call(memoryRoutes.search, {
    query: { q: query, limit, companion, archive: options.archive ? 'true' : undefined },
  });
  if (options.json) return terminal.json(found);
  if (found.degraded.length > 0) terminal.note(`searched without ${found.degraded.join(', ')}`);
  if (found.memories.length === 0) return terminal.note('nothing was found');
  terminal.table(found.memories, [MEMORY_ID, ...WHY_COLUMNS]);
}

/** Prints the memories that say much the same as one, without that one. */
export async function showSimilar(
  context: CommandContext,
  given: string,
  options: MemoryOptions,
): Promise<void> {
  const { api, terminal } = context;
  const memory = await namedMemory(context, given);
  // The memory itself is among them, and does not count.
  const limit = Math.min(options.limit + 1, MAX_FOUND);
  const found = await api.call(memoryRoutes.search, {
    query: { q: memory.text, limit, companion: options.companion },
  });
  const memories = found.memories.filter(({ id }) => id !== memory.id).slice(0, options.limit);
  if (options.json) return terminal.json({ of: memory, memories });
  if (memories.length === 0) return terminal.note('nothing similar was found');
  terminal.table(memories, [MEMORY_ID, ...WHY_COLUMNS]);
}

/** Prints what is known of the caller, as a page. */
export async function describeMe(
  { api, terminal }: CommandContext,
  { companion, json }: { companion?: string; json?: boolean },
): Promise<void> {
  const description = await api.call(memoryRoutes.describe, { query: { companion } });
  if (json) return terminal.json(description);
  terminal.line(description.page.trimEnd());
}

/** Counts memories by kind, by shelf, and by whether they were said alone or in a channel. */
export async function showStats(
  { api, terminal }: CommandContext,
  options: Omit<MemoryOptions, 'limit'>,
): Promise<void> {
  const memories = await allMemories(api, { companion: options.companion });
  // By hand: the oldest Node that this runs on has no Map.groupBy.
  const counted = new Map<string, { kind: MemoryKind; shelf: MemoryShelf; heard: string; count: number }>();
  for (const { kind, shelf, audience } of memories) {
    const heard = heardIn(audience);
    const key = `${kind} ${shelf} ${heard}`;
    counted.set(key, { kind, shelf, heard, count: (counted.get(key)?.count ?? 0) + 1 });
  }
  const rows = [...counted.values()];
  const recalled = memories.filter(({ timesRecalled }) => timesRecalled > 0).length;
  if (options.json) return terminal.json({ total: memories.length, recalled, rows });
  if (rows.length === 0) return terminal.note('there are no memories yet');
  terminal.table(rows, [
    { header: 'kind', value: ({ kind }) => kind },
    { header: 'shelf', value: ({ shelf }) => shelf },
    { header: 'heard', value: ({ heard }) => heard },
    { header: 'memories', value: ({ count }) => String(count), align: 'right' },
  ]);
  terminal.note(`${memories.length} in all; ${recalled} were recalled at least once`);
}
