import { Audience, memoryRoutes, type CoreBlock } from '@kith/contracts';
import { checkFlags } from '../input/check-flags.js';
import { CliError } from '../input/cli-error.js';
import type { CommandContext } from '../suite/command-context.js';
import type { Terminal } from '../terminal/terminal.js';
import { minuteOf } from '../terminal/value-words.js';

/** Blocks that a person writes: the third one is the operator's. */
export const CORE_BLOCKS = ['human', 'persona'] as const;

interface CoreOptions {
  companion?: string;
  /** Place of the blocks; of all places, or of direct talk where one is written, if it is absent. */
  in?: string;
  clear?: boolean;
  json?: boolean;
}

/** Prints core memory of the caller, of every place or of one. @throws CliError where something is to be cleared */
export async function showCore({ api, terminal }: CommandContext, options: CoreOptions): Promise<void> {
  const { companion, clear = false, json } = options;
  const place = placeOf(options);
  if (clear) throw new CliError(`say which block to clear: ${CORE_BLOCKS.join(' or ')}`, 2);
  const core = await api.call(memoryRoutes.core, { query: { companion } });
  const blocks = core.blocks.filter(({ audience }) => place === undefined || audience === place);
  if (json) return terminal.json({ blocks });
  const [where, flag] = place === undefined ? ['', ''] : [' there', ` --in ${place}`];
  if (blocks.length === 0)
    return terminal.note(`no block is written${where}: kith memories core human TEXT${flag} writes one`);
  for (const block of blocks) printBlock(terminal, block);
}

/** Writes one block, or clears it. @throws CliError unless there is either a text or the wish to clear it */
export async function writeCore(
  { api, terminal }: CommandContext,
  label: (typeof CORE_BLOCKS)[number],
  options: CoreOptions & { text: string },
): Promise<void> {
  const { companion, text, clear = false, json } = options;
  const audience = placeOf(options);
  if ((text.trim() === '') !== clear) throw new CliError(`say what ${label} should say, or --clear`, 2);
  const body = { companion, audience, text };
  const block = await api.call(memoryRoutes.editCore, { params: { label }, body });
  if (json) return terminal.json(block);
  if (clear) return terminal.note('cleared');
  printBlock(terminal, block);
}

function placeOf({ in: place }: CoreOptions): Audience | undefined {
  return place === undefined ? undefined : checkFlags(Audience, place, { '': '--in' });
}

function printBlock(terminal: Terminal, { label, audience, text, updatedBy, updatedAt }: CoreBlock): void {
  const place = audience === 'direct' ? 'alone' : audience;
  const writer = updatedBy === 'person' ? 'you' : `the ${updatedBy}`;
  terminal.line(`${label}, ${place} ${terminal.dim(`by ${writer}, ${minuteOf(updatedAt)} (UTC)`)}`);
  for (const line of text.split('\n')) terminal.line(`  ${line}`);
}
