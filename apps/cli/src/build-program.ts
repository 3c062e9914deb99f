import { Command, type CommandUnknownOpts, Help, type Option } from '@commander-js/extra-typings';
import { addChatCommand } from './chat/add-chat-command.js';
import { addCompanionCommands } from './companions/add-companion-commands.js';
import type { NodeHere } from './doctor/machine-checks.js';
import { addDoctorCommand } from './doctor/add-doctor-command.js';
import { addKnowledgeCommands } from './knowledge/add-knowledge-commands.js';
import { addMemoryCommands } from './memories/add-memory-commands.js';
import { addOperatorCommands } from './operations/add-operator-commands.js';
import { addTaskCommands } from './tasks/add-task-commands.js';
import { addOutreachCommands } from './outreach/add-outreach-commands.js';
import { addPeopleCommands } from './people/add-people-commands.js';
import { addToolCommands } from './tools/add-tool-commands.js';
import { openApi } from './suite/api-client.js';
import type { CommandContext } from './suite/command-context.js';
import type { CliConfig } from './suite/config.js';
import type { Terminal } from './terminal/terminal.js';

export interface ProgramParts {
  terminal: Terminal;
  readConfig: (flags: { url?: string; key?: string }) => CliConfig;
  node: NodeHere;
  /** Called when a command found something broken. */
  fail: () => void;
}

/** Options that every command may have, and that its help shows last. */
const LAST_SHOWN = ['--json', '--help'];

/** Builds the command line: every command, and the function that runs it. */
export function buildProgram({ terminal, readConfig, node, fail }: ProgramParts): Command {
  const program = new Command('kith')
    .description('Talk to a running Kith')
    .option('--url <url>', 'where Kith is (KITH_URL; found by itself when it runs here)')
    .option('--key <key>', 'API key (KITH_KEY; in .env after ./scripts/up)')
    .addHelpText('after', '\nkith --version tells which Kith this is')
    .configureHelp({
      visibleOptions: (shown) => new Help().visibleOptions(shown).toSorted((a, b) => placeOf(a) - placeOf(b)),
    })
    // Refused below, in words that help.
    .allowExcessArguments()
    .hook('preAction', (_, command) => {
      refuseStrayWords(command);
      refuseStrayFlags(command);
    })
    .showHelpAfterError('(kith --help shows what there is)');

  let config: CliConfig | undefined;
  const context: CommandContext = {
    terminal,
    // Read once a command needs it: by then the flags are known.
    get config() {
      return (config ??= readConfig(program.opts()));
    },
    api: openApi(() => context.config, terminal),
  };

  addChatCommand(program, context);
  addMemoryCommands(program, context);
  addTaskCommands(program, context);
  addKnowledgeCommands(program, context);
  addCompanionCommands(program, context, fail);
  addOutreachCommands(program, context);
  addToolCommands(program, context);
  addPeopleCommands(program, context);
  addOperatorCommands(program, context);
  addDoctorCommand(program, context, { node, fail });
  return program;
}

/** Refuses words that a command does not take. Where it stands for its group, as `kith jobs` does, they are a mistyped command. */
function refuseStrayWords(command: CommandUnknownOpts): void {
  const { args, registeredArguments, parent } = command;
  const stray = args[registeredArguments.length];
  if (stray === undefined || registeredArguments.at(-1)?.variadic) return;
  const isNamed = [command.name(), ...command.aliases()].includes(parent?.args[0] ?? '');
  const group = isNamed ? command : parent;
  if (!group || group.commands.length === 0)
    command.error(`error: ${command.name()} does not take '${stray}'`);
  const names = group.commands.map((one) => one.name()).join(', ');
  command.error(`error: unknown command '${stray}': kith ${group.name()} has ${names}`);
}

/** Refuses flags of the command above that this one does not take: `kith outreach why --off` would turn nothing off. */
function refuseStrayFlags(command: CommandUnknownOpts): void {
  const above = command.parent;
  // Flags of the program itself are for every command.
  if (!above?.parent) return;
  const own = new Set(command.options.map((option) => option.attributeName()));
  for (const option of above.options) {
    const name = option.attributeName();
    if (own.has(name) || above.getOptionValueSource(name) !== 'cli') continue;
    // Of `--direct` and `--no-direct`, the one that was given.
    if (option.negate !== (above.getOptionValue(name) === false)) continue;
    command.error(`error: ${above.name()} ${command.name()} does not take ${option.long}`);
  }
}

function placeOf({ long }: Option): number {
  return LAST_SHOWN.indexOf(long ?? '');
}
