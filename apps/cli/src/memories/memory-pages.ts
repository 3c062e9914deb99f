import { firstOf, memoryRoutes, type ListedMemory, type RouteAnswer, type RouteInput } from '@kith/contracts';
import { findCompanion } from '../companions/find-companion.js';
import { CliError } from '../input/cli-error.js';
import type { CommandContext } from '../suite/command-context.js';
import { MAX_PAGE, readList } from '../suite/read-list.js';

/** Characters of a short id. */
const SHORT_ID = 8;
const FULL_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

type MemoryQuery = NonNullable<RouteInput<typeof memoryRoutes.list>['query']>;
export type MemoryFilter = Omit<MemoryQuery, 'cursor' | 'limit'>;

/** Reads a page of memories, the newest first. @throws CliError for a companion that does not exist */
export async function memoryPage(
  api: CommandContext['api'],
  query: MemoryQuery,
): Promise<RouteAnswer<typeof memoryRoutes.list>> {
  const page = await api.call(memoryRoutes.list, { query });
  if (page.total === 0 && query.companion !== undefined) await requireCompanion(api, query.companion);
  return page;
}

/** Reads memories page by page until there are no more or the reader stops. @throws CliError, see `memoryPage` */
export async function* memoryPages(
  api: CommandContext['api'],
  filter: MemoryFilter,
): AsyncGenerator<{ memories: ListedMemory[]; total: number; isLast: boolean }> {
  let cursor: string | undefined;
  do {
    const { nextCursor, ...page } = await memoryPage(api, { limit: MAX_PAGE, ...filter, cursor });
    cursor = nextCursor ?? undefined;
    yield { ...page, isLast: cursor === undefined };
  } while (cursor);
}

/** Checks that a companion exists. @throws CliError where it does not, unless it is retired with memories */
async function requireCompanion(api: CommandContext['api'], companion: string): Promise<void> {
  const { total } = await api.call(memoryRoutes.list, { query: { limit: 1, companion } });
  if (total === 0) await findCompanion({ api }, companion);
}

/** Reads every memory that passes the filter. */
export async function allMemories(api: CommandContext['api'], filter: MemoryFilter): Promise<ListedMemory[]> {
  const { memories } = await readList('memories', Infinity, (page) =>
    memoryPage(api, { ...filter, ...page }),
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
