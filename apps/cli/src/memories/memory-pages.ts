import { firstOf, memoryRoutes, type ListedMemory, type RouteInput } from '@kith/contracts';
import { CliError } from '../input/cli-error.js';
import type { CommandContext } from '../suite/command-context.js';
import { MAX_PAGE, readList } from '../suite/read-list.js';

/** Characters of a short id. */
const SHORT_ID = 8;
const FULL_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

type MemoryQuery = NonNullable<RouteInput<typeof memoryRoutes.list>['query']>;
export type MemoryFilter = Omit<MemoryQuery, 'cursor' | 'limit'>;

/** Reads memories page by page until there are no more or the reader stops. */
export async function* memoryPages(
  api: CommandContext['api'],
  filter: MemoryFilter,
): AsyncGenerator<{ memories: ListedMemory[]; total: number; isLast: boolean }> {
  let cursor: string | undefined;
  do {
    const query = { limit: MAX_PAGE, ...filter, cursor };
    const { nextCursor, ...page } = await api.call(memoryRoutes.list, { query });
    cursor = nextCursor ?? undefined;
    yield { ...page, isLast: cursor === undefined };
  } while (cursor);
}

/** Reads every memory that passes the filter. */
export async function allMemories(api: CommandContext['api'], filter: MemoryFilter): Promise<ListedMemory[]> {
  const { memories } = await readList('memories', Infinity, (page) =>
    api.call(memoryRoutes.list, { query: { ...filter, ...page } }),
  );
  return memories;
}

/** Finds the memories with these ids, short or in full. @throws CliError for an id that none has */
export async function namedMemories(
  api: CommandContext['api'],
  given: readonly string[],
): Promise<ListedMemory[]> {
  const known = new Map((await allMemories(api, {})).map((memory) => [memory.id, memory]));
  return given.map((id) => {
    const memory = known.get(resolveId(id, [...known.keys()]));
    if (!memory) throw new CliError(`no memory has the id "${id}": kith memories list shows them`);
    return memory;
  });
}

/** Finds the memory with this id, short or in full. @throws CliError for an id that none has */
export async function namedMemory(api: CommandContext['api'], given: string): Promise<ListedMemory> {
  return firstOf(await namedMemories(api, [given]));
}

/** Shortens an id to its end, which is random; its beginning is a time that neighbours share. */
export function shortId(id: string): string {
  return id.slice(-SHORT_ID);
}

/**
 * The one id that ends like this.
 * @throws CliError when there is none, or more than one
 */
export function resolveId(given: string, known: readonly string[]): string {
  if (FULL_ID.test(given)) return given;
  const [match, ...others] = known.filter((id) => given.length >= 4 && id.endsWith(given.toLowerCase()));
  if (match !== undefined && others.length === 0) return match;
  const problem = match === undefined ? 'no memory' : 'more than one memory';
  throw new CliError(`${problem} has the id "${given}": kith memories list shows them, --json in full`);
}
