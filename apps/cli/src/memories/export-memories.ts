import {
  counted,
  companionRoutes,
  coreRecordOf,
  memoryRecordOf,
  memoryRoutes,
  visibleJson,
  type CoreRecord,
} from '@kith/contracts';
import { writeResult } from '../input/write-result.js';
import type { CommandContext } from '../suite/command-context.js';
import { memoryPages } from './memory-pages.js';

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
  for await (const { memories, total, isLast } of memoryPages(api, { companion, asKept: 'true' })) {
    for (const { companionId, ...memory } of memories)
      yield `${visibleJson(memoryRecordOf(companionId, memory))}\n`;
    count += memories.length;
    if (count % TELL_EVERY === 0 && !isLast) terminal.note(`${count} of ${total}`);
  }
  const core = await readCore(api, companion);
  for (const block of core) yield `${visibleJson(block)}\n`;
  const blocks = core.length === 0 ? '' : `, and ${core.length} of core memory`;
  terminal.note(`exported ${counted(count, 'memory', 'memories')}${blocks}`);
}

/** Reads core memory, with one companion or with each. */
async function readCore(api: CommandContext['api'], companion: string | undefined): Promise<CoreRecord[]> {
  const { companions } = await api.call(companionRoutes.list);
  const blocks: CoreRecord[] = [];
  for (const { id } of companions.filter((one) => companion === undefined || one.id === companion)) {
    const core = await api.call(memoryRoutes.core, { query: { companion: id } });
    blocks.push(...core.blocks.map((block) => coreRecordOf(id, block)));
  }
  return blocks;
}
