import {
  describeLeftOut,
  describeRulePlace,
  toolRoutes,
  type ToolAnswer,
  type ToolOutcome,
  type ToolQuestion,
  type ToolRulePlace,
  type ToolView,
  visibleJson,
} from '@kith/contracts';
import type { z } from 'zod';
import { CliError } from '../input/cli-error.js';
import { confirm } from '../input/confirm.js';
import { tryEach } from '../input/try-each.js';
import type { CommandContext } from '../suite/command-context.js';
import type { Column } from '../terminal/table-lines.js';
import { readArguments } from './read-arguments.js';

const TOOL_COLUMNS: readonly Column<ToolView>[] = [
  { header: 'tool', value: ({ name }) => name },
  { header: 'kind', value: ({ kind }) => kind },
  { header: 'reads', value: ({ reads }) => reads.join(', ') || '-' },
  { header: 'changes', value: ({ changes }) => changes },
  {
    header: 'permission',
    value: ({ permission, isGranted }) => (isGranted ? `${permission}, always` : permission),
  },
  {
    header: 'arguments',
    value: ({ parameters }) => parameters.map(describeParameter).join(' '),
    flexible: true,
  },
  { header: 'what it does', value: ({ description }) => description, flexible: true },
];

/** Writes an argument as `tools run` takes it, in brackets where it may be left out. */
function describeParameter({ name, form, isRequired }: ToolView['parameters'][number]): string {
  return isRequired ? `${name}=${form}` : `[${name}=${form}]`;
}

/** Place of a rule, as flags give it. */
export type RuleFlags = z.infer<typeof ToolRulePlace>;

/** Prints all tools, with what may be done with each. */
export async function listTools(
  { api, terminal }: CommandContext,
  { companion, json }: { companion?: string; json?: boolean },
): Promise<void> {
  const { tools, leftOut } = await api.call(toolRoutes.list, { query: { companion } });
  if (json) return terminal.json({ tools, leftOut });
  terminal.table(tools, TOOL_COLUMNS);
  for (const one of leftOut) terminal.note(describeLeftOut(one));
}

/** Prints the rules that allow and deny. */
export async function listRules(
  { api, terminal }: CommandContext,
  { json }: { json?: boolean },
): Promise<void> {
  const { rules } = await api.call(toolRoutes.rules);
  if (json) return terminal.json(rules);
  if (rules.length === 0) return terminal.line('no rules: Kith’s own tools may be used, all others may not');
  terminal.table(rules, [
    { header: 'tool', value: ({ tool }) => tool },
    { header: 'rule', value: ({ allow }) => (allow ? 'allow' : 'deny') },
    { header: 'companion', value: ({ companion }) => companion ?? 'all' },
    { header: 'server', value: ({ server }) => server ?? 'all' },
    { header: 'channel', value: ({ channel }) => channel ?? 'all' },
    { header: 'role', value: ({ role }) => role ?? 'all' },
    // A denied tool is denied in every form.
    { header: 'form', value: ({ allow, isCurrent }) => (isCurrent || !allow ? 'current' : 'changed since') },
  ]);
}

/** Allows or denies a tool, everywhere or at a place. */
export async function setRule(
  { api, terminal }: CommandContext,
  name: string,
  allow: boolean,
  place: RuleFlags,
): Promise<void> {
  await api.call(toolRoutes.setRule, { params: { name }, body: { allow, ...place } });
  terminal.line(`${name} is ${allow ? 'allowed' : 'denied'} ${describeRulePlace(place)}`);
}

/** Takes a rule back. */
export async function removeRule(
  { api, terminal }: CommandContext,
  name: string,
  place: RuleFlags,
): Promise<void> {
  await api.call(toolRoutes.removeRule, { params: { name }, query: place });
  terminal.line(`the rule for ${name} ${describeRulePlace(place)} is removed`);
}

/** Uses a tool. One that changes something is confirmed first. */
export async function runTool(
  { api, terminal }: CommandContext,
  name: string,
  given: readonly string[],
  { companion, yes }: { companion?: string; yes?: boolean },
): Promise<void> {
  const { tools } = await api.call(toolRoutes.list, { query: { companion } });
  const tool = tools.find((one) => one.name === name);
  const args = readArguments(given, tool?.parameters);
  const isEffect = tool?.changes === 'outside';
  const shown = Object.entries(args).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const isWanted =
    !isEffect ||
    yes === true ||
    (await confirm(terminal, `${name} changes something (${shown.join(', ')}).`, 'add --yes to confirm it'));
  if (!isWanted) return terminal.line('nothing was done');
  const params = { name };
  printOutcome(
    terminal,
    await api.call(toolRoutes.run, { params, body: { companion, arguments: args, confirm: isEffect } }),
  );
}

/** Prints the questions that wait for an answer. */
export async function listQuestions(
  { api, terminal }: CommandContext,
  { json }: { json?: boolean },
): Promise<void> {
  const { questions } = await api.call(toolRoutes.questions);
  if (json) return terminal.json(questions);
  if (questions.length === 0) return terminal.line('no tool waits for your answer');
  for (const question of questions) {
    terminal.line(question.text);
    terminal.line(wholeArguments(question));
    terminal.line(`  kith tools answer ${question.id} yes|always|no`);
  }
}

/** Answers a question, and prints what came of it. */
export async function answerQuestion(
  { api, terminal }: CommandContext,
  id: string,
  answer: ToolAnswer,
): Promise<void> {
  printOutcome(terminal, await api.call(toolRoutes.answer, { params: { id }, body: { answer } }));
}

/** Writes every argument of a question whole: its words show a part of them, and nobody should allow what they have not seen. */
export function wholeArguments({ tool, arguments: given }: ToolQuestion): string {
  return `${tool} would get: ${visibleJson(given, 2)}`;
}

/** Names a question where its answer failed, with the way to answer it later. */
export function questionName({ tool, id }: ToolQuestion): string {
  return `${tool} (kith tools answer ${id})`;
}

/** Asks at a terminal about each question of a reply; elsewhere says how to answer. */
export async function askAbout(context: CommandContext, questions: readonly ToolQuestion[]): Promise<void> {
  const { terminal } = context;
  if (!terminal.isInteractive) {
    for (const { id } of questions) terminal.note(`answer with: kith tools answer ${id} yes|always|no`);
    return;
  }
  await tryEach(terminal, questions, questionName, async ({ id, tool }) => {
    const isWanted = await confirm(terminal, `May it use ${tool}?`, '');
    await answerQuestion(context, id, isWanted ? 'yes' : 'no');
  });
}

function printOutcome(terminal: CommandContext['terminal'], { status, result }: ToolOutcome): void {
  if (status === 'failed') throw new CliError(result ?? 'the tool failed');
  terminal.line(status === 'declined' ? 'nothing was done' : (result ?? 'done'));
}
