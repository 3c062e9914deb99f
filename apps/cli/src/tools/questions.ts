import {
  toolRoutes,
  type ToolAnswer,
  type ToolOutcome,
  type ToolQuestion,
  visibleJson,
} from '@kith/contracts';
import { CliError } from '../input/cli-error.js';
import { confirm } from '../input/confirm.js';
import { tryEach } from '../input/try-each.js';
import type { CommandContext } from '../suite/command-context.js';

/** Answers a question, and prints what came of it. */
export async function answerQuestion({ api, terminal }: CommandContext, id: string, answer: ToolAnswer) {
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

/** Prints what came of using a tool. @throws CliError where it failed */
export function printOutcome(terminal: CommandContext['terminal'], { status, result }: ToolOutcome): void {
  if (status === 'failed') throw new CliError(result ?? 'the tool failed');
  terminal.line(status === 'declined' ? 'nothing was done' : (result ?? 'done'));
}
