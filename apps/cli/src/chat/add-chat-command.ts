import type { Command } from '@commander-js/extra-typings';
import { CliError } from '../input/cli-error.js';
import { COMPANION_FLAG } from '../input/options.js';
import type { CommandContext } from '../suite/command-context.js';
import { chat } from './chat.js';

/** Adds the command to talk: one message, lines of a pipe, or a conversation. */
export function addChatCommand(program: Command, context: () => CommandContext): void {
  program
    .command('chat [words...]')
    .description('talk to a companion: say one thing, hold a conversation, or answer the lines of a pipe')
    .option(...COMPANION_FLAG)
    .option('--conversation <name>', 'which thread', 'main')
    .option('--message <text>', 'say one thing and leave; the same as words after chat')
    .addHelpText('after', '\nFor one message: kith chat "How are you?"')
    .action((words: string[], { message, ...options }) => {
      if (words.length > 0 && message !== undefined)
        throw new CliError('give the message after chat or with --message, not both', 2);
      return chat(context(), { ...options, message: words.length > 0 ? words.join(' ') : message });
    });
}
