import type { Command } from '@commander-js/extra-typings';
import type { CommandContext } from '../suite/command-context.js';
import { outreach, outreachChannel, restrictOutreach, whyOutreach } from './outreach.js';
import { JSON_FLAG, positive } from '../input/options.js';

/** Adds the commands for when companions write first. */
export function addOutreachCommands(program: Command, context: () => CommandContext): void {
  const outreachCommand = program
    .command('outreach')
    .description('show and change when a companion may write to you first')
    .option('--on', 'it may')
    .option('--off', 'it may not, and drops what it had in mind, reminders too')
    .option('--direct', 'in your direct messages too')
    .option('--no-direct', 'not in your direct messages')
    .option('--no-channel', 'not in a channel any more')
    .option('--zone <zone>', 'your city, zone or offset, such as Berlin or UTC+2')
    .option('--quiet-from <time>', 'start of the quiet hours, such as 22:00')
    .option('--quiet-until <time>', 'their end; the same time as their start means none')
    .option('--cap <n>', 'most messages a day', Number)
    .option('--weekly-cap <n>', 'most messages in any seven days', Number)
    .option('--topics-off <words>', 'topics it does not bring up, with commas between; empty for none')
    .option(...JSON_FLAG)
    .action((options) => outreach(context(), options));
  outreachCommand
    .command('why')
    .description('list what companions wrote first, and why')
    .option('--limit <n>', 'how many, newest first', positive, 20)
    .option(...JSON_FLAG)
    .action((_, command) => whyOutreach(context(), command.optsWithGlobals()));
  outreachCommand
    .command('channel [id] [mode]')
    .description('allow or forbid writing first in a channel (on, off); needs a key with the scope admin')
    .option(...JSON_FLAG)
    .action((id: string | undefined, mode: string | undefined, _, command) =>
      outreachChannel(context(), id, mode, command.optsWithGlobals()),
    );
  outreachCommand
    .command('restrict <person>')
    .description('forbid writing first to somebody; needs a key with the scope admin')
    .option('--age <state>', 'unknown, adult or minor: a minor is never written to first')
    .option('--rest-until <time>', 'no outreach before it, such as 2026-12-01; none ends it')
    .option(...JSON_FLAG)
    .action((person: string, _, command) => restrictOutreach(context(), person, command.optsWithGlobals()));
}
