import { Argument, type Command } from '@commander-js/extra-typings';
import { Audience, memoryRoutes, type CoreBlock } from '@kith/contracts';
import { checkFlags } from '../input/check-flags.js';
import { CliError } from '../input/cli-error.js';
import { addJsonCommand } from '../input/add-command.js';
import { COMPANION_FLAG } from '../input/options.js';
import type { CommandContext } from '../suite/command-context.js';
import type { Terminal } from '../terminal/terminal.js';
import { minuteOf } from '../terminal/value-words.js';

/** Blocks that a person writes: the third one is the operator's. */
const BLOCKS = ['human', 'persona'] as const;

/** Adds the command that shows core memory of the caller, of every place or of one, and writes or clears a block. */
export function addCoreCommand(memories: Command, { api, terminal }: CommandContext): void {
  addJsonCommand(
    memories,
    'core',
    'show what is in mind of you all the time, and where; with a block and a text, write it',
  )
    .addArgument(new Argument('[block]', 'who you are, or how it is with you').choices(BLOCKS))
    .argument('[text...]', 'what it should say')
    .option(...COMPANION_FLAG)
    .option('--in <place>', 'of there: channel:<door>:<id>; written for direct talk otherwise')
    .option('--clear', 'empty the block')
    .action(async (label, words, { companion, in: given, clear = false, json }) => {
      const place = given === undefined ? undefined : checkFlags(Audience, given, { '': '--in' });
      if (label !== undefined) {
        const text = words.join(' ');
        if ((text.trim() === '') !== clear) throw new CliError(`say what ${label} should say, or --clear`, 2);
        const body = { companion, audience: place, text };
        const block = await api.call(memoryRoutes.editCore, { params: { label }, body });
        if (json) return terminal.json(block);
        return clear ? terminal.note('cleared') : printBlock(terminal, block);
      }
      if (clear) throw new CliError(`say which block to clear: ${BLOCKS.join(' or ')}`, 2);
      const core = await api.call(memoryRoutes.core, { query: { companion } });
      const blocks = core.blocks.filter(({ audience }) => place === undefined || audience === place);
      if (json) return terminal.json({ blocks });
      const [where, flag] = place === undefined ? ['', ''] : [' there', ` --in ${place}`];
      if (blocks.length === 0)
        return terminal.note(`no block is written${where}: kith memories core human TEXT${flag} writes one`);
      for (const block of blocks) printBlock(terminal, block);
    });
}

function printBlock(terminal: Terminal, { label, audience, text, updatedBy, updatedAt }: CoreBlock): void {
  const place = audience === 'direct' ? 'alone' : audience;
  const writer = updatedBy === 'person' ? 'you' : `the ${updatedBy}`;
  terminal.line(`${label}, ${place} ${terminal.dim(`by ${writer}, ${minuteOf(updatedAt)} (UTC)`)}`);
  for (const line of text.split('\n')) terminal.line(`  ${line}`);
}
