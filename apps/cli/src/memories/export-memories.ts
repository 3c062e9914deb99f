import {
  counted,
  companionRoutes,
  coreRecordOf,
  memoryRecordOf,
  memoryRoutes,
  visibleJson,
  type CoreRecord,
  type RouteAnswer,
} from '@kith/contracts';
import { writeResult } from '../input/write-result.js';
import type { CommandContext } from '../suite/command-context.js';
import { memoryPages } from './memory-pages.js';
import { NoCompanion } from '../suite/api-client.js';

/** Number of memories after which progress is shown again. */
const TELL_EVERY = 2_000;

/** Writes every memory as a line of JSON, without vectors, so that it outlives a change of model. */
export async function exportMemories(
  context: CommandContext,
  file: string,
  options: { companion?: string; force?: boolean },
): Promise<void> {
  await writeResult(context.terminal, file, readAll(context, options), options);
}

async function* readAll(
  { api, terminal }: CommandContext,
  { companion }: { companion?: string },
): AsyncGenerator<string> {
  let count = 0;
  const holders = new Set<string>();
  for await (const { memories, total, isLast } of memoryPages(api, { companion, asKept: true })) {
    for (const { companionId, ...memory } of memories) {
      if (companionId !== undefined) holders.add(companionId);
      yield `${visibleJson(memoryRecordOf(companionId, memory))}\n`;
    }
    count += memories.length;
    if (count % TELL_EVERY === 0 && !isLast) terminal.note(`${count} of ${total}`);
  }
  const core = await readCore(api, companion, holders);
  for (const block of core) yield `${visibleJson(block)}\n`;
  const inChannels = core.filter(({ audience }) => audience !== undefined).length;
  const where = inChannels === 0 ? '' : ` (${inChannels} noted in channels)`;
  const blocks = core.length === 0 ? '' : `, and ${core.length} of core memory${where}`;
  terminal.note(`exported ${counted(count, 'memory', 'memories')}${blocks}`);
}

/** Reads core memory, with one companion or with each: those in service, and those that hold memories. */
async function readCore(
  api: CommandContext['api'],
  companion: string | undefined,
  holders: ReadonlySet<string>,
): Promise<CoreRecord[]> {
  const { companions } = await api.call(companionRoutes.list);
  const ids = companion === undefined ? [...companions.map(({ id }) => id), ...holders] : [companion];
  const blocks: CoreRecord[] = [];
  for (const id of new Set(ids)) {
    const core = await api.call(memoryRoutes.core, { query: { companion: id } }).catch(nothingOfRetired);
    blocks.push(...core.blocks.map((block) => coreRecordOf(id, block)));
  }
  return blocks;
}

/** Gives no blocks for a companion that is out of service and has no core memory. */
function nothingOfRetired(error: unknown): Pick<RouteAnswer<typeof memoryRoutes.core>, 'blocks'> {
  if (error instanceof NoCompanion) return { blocks: [] };
  throw error;
}
