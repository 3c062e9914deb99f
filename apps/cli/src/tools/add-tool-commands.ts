import { Argument, type Command } from '@commander-js/extra-typings';
import { describeLeftOut, describeRulePlace, toolRoutes, type ToolView } from '@kith/contracts';
import { confirm } from '../input/confirm.js';
import { addCommand, addJsonCommand } from '../input/add-command.js';
import { COMPANION_FLAG } from '../input/options.js';
import type { CommandContext } from '../suite/command-context.js';
import { answerQuestion, printOutcome, wholeArguments } from './questions.js';
import { readArguments } from './read-arguments.js';

/** Adds the commands for tools, their rules, and the questions that wait. */
export function addToolCommands(program: Command, context: CommandContext): void {
  const { api, terminal } = context;
  const tools = addCommand(program, 'tools', 'tools of companions: list, allow, deny and use them');
  addJsonCommand(tools, 'list', 'list all: what each reads and changes, and whether it may be used', {
    isDefault: true,
  })
    .option(...COMPANION_FLAG)
    .action(async ({ companion, json }) => {
      const { tools, leftOut } = await api.call(toolRoutes.list, { query: { companion } });
      if (json) return terminal.json({ tools, leftOut });
      terminal.table(tools, [
        { header: 'tool', value: ({ name }) => name },
        { header: 'kind', value: ({ kind }) => kind },
        { header: 'reads', value: ({ reads }) => reads.join(', ') || '-' },
        { header: 'changes', value: ({ changes }) => changes },
        { header: 'permission', value: (tool) => `${tool.permission}${tool.isGranted ? ', always' : ''}` },
        { header: 'arguments', flexible: true, value: describeParameters },
        { header: 'what it does', value: ({ description }) => description, flexible: true },
      ]);
      for (const one of leftOut) terminal.note(describeLeftOut(one));
    });
  addJsonCommand(tools, 'rules', 'list what is allowed and denied, and where; needs the scope admin').action(
    async ({ json }) => {
      const { rules } = await api.call(toolRoutes.rules);
      if (json) return terminal.json(rules);
      if (rules.length === 0)
        return terminal.note('no rules: Kith’s own tools may be used, all others may not');
      terminal.table(rules, [
        { header: 'tool', value: ({ tool }) => tool },
        { header: 'rule', value: ({ allow }) => (allow ? 'allow' : 'deny') },
        { header: 'companion', value: ({ companion }) => companion ?? 'all' },
        { header: 'server', value: ({ server }) => server ?? 'all' },
        { header: 'channel', value: ({ channel }) => channel ?? 'all' },
        { header: 'role', value: ({ role }) => role ?? 'all' },
        // A denied tool is denied in every form.
        { header: 'form', value: (rule) => (rule.isCurrent || !rule.allow ? 'current' : 'changed since') },
      ]);
    },
  );
  for (const [verb, allow, description] of [
    ['allow', true, 'allow a tool as it is now, everywhere or at a place; needs the scope admin'],
    ['deny', false, 'deny a tool, everywhere or at a place; wins over allow; scope admin'],
    ['reset', null, 'take the rule for that place back; needs the scope admin'],
  ] as const)
    addCommand(tools, `${verb} <name>`, description)
      .option('--companion <id>', 'with this companion alone')
      .option('--server <id>', 'in this Discord server alone')
      .option('--channel <id>', 'in this channel alone')
      .option('--role <id>', 'for people with this role alone')
      .action(async (name, place) => {
        const [params, where] = [{ name }, describeRulePlace(place)];
        if (allow === null) {
          await api.call(toolRoutes.removeRule, { params, query: place });
          return terminal.line(`the rule for ${name} ${where} is removed`);
        }
        await api.call(toolRoutes.setRule, { params, body: { allow, ...place } });
        terminal.line(`${name} is ${allow ? 'allowed' : 'denied'} ${where}`);
      });
  addCommand(tools, 'run <name> [arguments...]', 'use a tool yourself: kith tools run NAME key=value …')
    .option(...COMPANION_FLAG)
    .option('--yes', 'it may change something')
    .action(async (name, given, { companion, yes }) => {
      const { tools } = await api.call(toolRoutes.list, { query: { companion } });
      const tool = tools.find((one) => one.name === name);
      const args = readArguments(given, tool?.parameters);
      const isEffect = tool?.changes === 'outside';
      const shown = Object.entries(args).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
      const question = `${name} changes something (${shown.join(', ')}).`;
      if (isEffect && !yes && !(await confirm(terminal, question, 'add --yes to confirm it')))
        return terminal.line('nothing was done');
      const body = { companion, arguments: args, confirm: isEffect };
      printOutcome(terminal, await api.call(toolRoutes.run, { params: { name }, body }));
    });
  addJsonCommand(tools, 'questions', 'list what waits for your answer').action(async ({ json }) => {
    const { questions } = await api.call(toolRoutes.questions);
    if (json) return terminal.json(questions);
    if (questions.length === 0) return terminal.note('no tool waits for your answer');
    for (const question of questions) {
      terminal.line(question.text);
      terminal.line(wholeArguments(question));
      terminal.line(`  kith tools answer ${question.id} yes|always|no`);
    }
  });
  addCommand(
    tools,
    'answer <id>',
    'answer a question; always: and do not ask again where the words are yours',
  )
    .addArgument(new Argument('<answer>').choices(['yes', 'always', 'no'] as const))
    .action((id, answer) => answerQuestion(context, id, answer));
}

/** Writes arguments as `tools run` takes them, in brackets where they may be left out. */
function describeParameters({ parameters }: ToolView): string {
  return parameters
    .map(({ name, form, isRequired }) => (isRequired ? `${name}=${form}` : `[${name}=${form}]`))
    .join(' ');
}
