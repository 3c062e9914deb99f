import { Command } from 'commander';
import { ApiClient } from './api/api-client.js';
import { chat } from './chat/chat.js';
import type { CommandContext } from './command-context.js';
import { addCompanionCommands } from './commands/companion-commands.js';
import { addKnowledgeCommands } from './commands/knowledge-commands.js';
import { addMemoryCommands } from './commands/memory-commands.js';
import { addOperatorCommands } from './commands/operator-commands.js';
import { COMPANION_FLAG, JSON_FLAG } from './commands/options.js';
import { addOutreachCommands } from './commands/outreach-commands.js';
import type { CliConfig } from './config.js';
import { doctor } from './doctor/doctor.js';
import { printSignInLink } from './keys.js';
import type { Terminal } from './terminal/terminal.js';

export interface ProgramParts {
  terminal: Terminal;
  readConfig: (flags: { url?: string; key?: string }) => CliConfig;
  nodeVersion: string;
  /** Called when a command found something broken. */
  fail: () => void;
}

/** The command line: what there is to say, and which function does it. */
export function buildProgram({ terminal, readConfig, nodeVersion, fail }: ProgramParts): Command {
  const program = new Command('kith')
    .description('Talks to a running Kith')
    .option('--url <url>', 'where Kith is (KITH_URL; found by itself when it runs here)')
    .option('--key <key>', 'API key (KITH_KEY; in .env after ./scripts/up)')
    .showHelpAfterError('(kith --help shows what there is)');

  const context = (): CommandContext => {
    const config = readConfig(program.opts());
    return { config, api: new ApiClient(config.url, config.key), terminal };
  };

  program
    .command('chat')
    .description('talk to a companion; reads lines when its input is a pipe')
    .option(...COMPANION_FLAG)
    .option('--conversation <name>', 'which thread', 'main')
    .option('--message <text>', 'say one thing and leave')
    .action((options) => chat(context(), options));
  addMemoryCommands(program, context);
  addKnowledgeCommands(program, context);
  addCompanionCommands(program, context, fail);
  addOutreachCommands(program, context);
  addOperatorCommands(program, context);
  program
    .command('login')
    .description('a link that signs one browser in as you, once, within ten minutes')
    .action(() => printSignInLink(context()));
  program
    .command('doctor')
    .description('check every dependency and setting, and say how to mend each')
    .option(...JSON_FLAG)
    .option('--short', 'only what is off or broken')
    .action(async (options) => {
      if (!(await doctor(context(), { nodeVersion, ...options }))) fail();
    });
  return program;
}
