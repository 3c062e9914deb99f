import { createInterface } from 'node:readline';
import type { TurnView } from '@kith/contracts';
import { PartDown } from '../api/api-client.js';
import { CliError } from '../cli-error.js';
import type { CommandContext } from '../command-context.js';
import { findCompanion } from '../companions.js';
import { showMood } from '../mood.js';
import { WHY_COLUMNS } from './describe-turn.js';
import { sendMessage, type ChatPlace } from './send-message.js';

const HELP = `/why   what the last reply recalled, and why
/mood  how the companion feels now
/quit  leave (Ctrl-C or Ctrl-D too; Ctrl-C while a reply comes only stops waiting)`;

export interface ChatOptions {
  companion?: string;
  conversation: string;
  message?: string;
}

/** One message, a piped list of them, or a conversation at the terminal. */
export async function chat(context: CommandContext, options: ChatOptions): Promise<void> {
  const place = { ...(await lookUp(context, options.companion)), conversation: options.conversation };
  if (options.message !== undefined) {
    await sendMessage(context, place, options.message, new AbortController().signal);
  } else if (context.terminal.isInteractive) {
    await converse(context, place);
  } else {
    await answerLines(context, place);
  }
}

/** While nobody knows the companions, the one that is wanted is taken at its word: the gateway answers all the same. */
async function lookUp(
  context: CommandContext,
  wanted: string | undefined,
): Promise<Pick<ChatPlace, 'companionId' | 'companionName'>> {
  try {
    const { id, name } = await findCompanion(context, wanted);
    return { companionId: id, companionName: name };
  } catch (error) {
    if (!(error instanceof PartDown)) throw error;
    context.terminal.note(
      `the companion could not be looked up: ${error.message}; what you say is sent all the same`,
    );
    return { companionId: wanted, companionName: wanted ?? 'your companion' };
  }
}

/** Answers each line of a pipe in turn; the first that fails ends it. */
async function answerLines(context: CommandContext, place: ChatPlace): Promise<void> {
  const { signal } = new AbortController();
  for await (const line of createInterface({ input: context.terminal.input })) {
    if (line.trim()) await sendMessage(context, place, line, signal);
  }
}

/** Talks until the person leaves. What fails is said, and the conversation goes on. */
async function converse(context: CommandContext, place: ChatPlace): Promise<void> {
  const { terminal } = context;
  const lines = createInterface({ input: terminal.input, output: terminal.output, prompt: 'you: ' });
  let waiting: AbortController | null = null;
  let lastTurn: TurnView | null = null;
  lines.on('SIGINT', () => (waiting ? waiting.abort() : lines.close()));
  terminal.note(`talking to ${place.companionName} in "${place.conversation}"; /help for more`);
  lines.prompt();
  for await (const line of lines) {
    const text = line.trim();
    if (text === '/quit' || text === '/exit') break;
    waiting = new AbortController();
    const { signal } = waiting;
    try {
      if (text.startsWith('/')) await runSlashCommand(context, place, text, lastTurn);
      else if (text) lastTurn = await sendMessage(context, place, text, signal);
    } catch (error) {
      if (signal.aborted) terminal.note('(no longer waiting; the reply will be in the conversation)');
      else if (error instanceof CliError) terminal.note(terminal.red(error.message));
      else throw error;
    } finally {
      waiting = null;
    }
    lines.prompt();
  }
  lines.close();
  terminal.line();
}

async function runSlashCommand(
  context: CommandContext,
  place: ChatPlace,
  command: string,
  lastTurn: TurnView | null,
): Promise<void> {
  const { terminal } = context;
  switch (command) {
    case '/why':
      if (!lastTurn) return terminal.note('there is no reply yet');
      if (lastTurn.recalled.length === 0) return terminal.note('it recalled nothing for that reply');
      return terminal.table(lastTurn.recalled, WHY_COLUMNS);
    case '/mood':
      return showMood(context, await findCompanion(context, place.companionId), false);
    case '/help':
      return terminal.line(HELP);
    default:
      return terminal.note(`there is no ${command}; /help lists what there is`);
  }
}
