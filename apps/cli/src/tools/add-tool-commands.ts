import { Argument, type Command } from '@commander-js/extra-typings';
import { COMPANION_FLAG, JSON_FLAG } from '../input/options.js';
import type { CommandContext } from '../suite/command-context.js';
import {
  answerQuestion,
  listQuestions,
  listRules,
  listTools,
  removeRule,
  runTool,
  setRule,
  type RuleFlags,
} from './tools.js';

/** Adds the commands for tools, their rules, and the questions that wait. */
export function addToolCommands(program: Command, context: () => CommandContext): void {
  const tools = program.command('tools').description('tools of companions: list, allow, deny and use them');
  tools
    .command('list', { isDefault: true })
    .description('list all: what each reads and changes, and whether it may be used')
    .option(...COMPANION_FLAG)
    .option(...JSON_FLAG)
    .action((options) => listTools(context(), options));
  tools
    .command('rules')
    .description('list what is allowed and denied, and where; needs the scope admin')
    .option(...JSON_FLAG)
    .action((options) => listRules(context(), options));
  addRule(
    tools,
    'allow',
    'allow a tool as it is now, everywhere or at a place; needs the scope admin',
    (name, place) => setRule(context(), name, true, place),
  );
  addRule(
    tools,
    'deny',
    'deny a tool, everywhere or at a place; wins over allow; scope admin',
    (name, place) => setRule(context(), name, false, place),
  );
  addRule(tools, 'reset', 'take the rule for that place back; needs the scope admin', (name, place) =>
    removeRule(context(), name, place),
  );
  tools
    .command('run <name> [arguments...]')
    .description('use a tool yourself: kith tools run NAME key=value …')
    .option(...COMPANION_FLAG)
    .option('--yes', 'it may change something')
    .action((name: string, given: string[], options) => runTool(context(), name, given, options));
  tools
    .command('questions')
    .description('list what waits for your answer')
    .option(...JSON_FLAG)
    .action((options) => listQuestions(context(), options));
  tools
    .command('answer <id>')
    .description('answer a question; always: and do not ask again where the words are yours')
    .addArgument(new Argument('<answer>').choices(['yes', 'always', 'no'] as const))
    .action((id: string, answer) => answerQuestion(context(), id, answer));
}

function addRule(
  tools: Command,
  verb: string,
  description: string,
  act: (name: string, place: RuleFlags) => Promise<void>,
): void {
  tools
    .command(`${verb} <name>`)
    .description(description)
    .option('--companion <id>', 'with this companion alone')
    .option('--server <id>', 'in this Discord server alone')
    .option('--channel <id>', 'in this channel alone')
    .option('--role <id>', 'for people with this role alone')
    .action((name: string, place) => act(name, place));
}
