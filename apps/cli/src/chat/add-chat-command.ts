import { createInterface } from 'node:readline';
import type { Command } from '@commander-js/extra-typings';
import { counted, MAX_MESSAGE_CHARACTERS, type ToolAnswer, type TurnView } from '@kith/contracts';
import { openApi, PartDown } from '../suite/api-client.js';
import { CliError } from '../input/cli-error.js';
import { PIPE, textPieces } from '../input/files.js';
import { linesOf } from '../input/lines-of.js';
import { addCommand } from '../input/add-command.js';
import { COMPANION_FLAG } from '../input/options.js';
import { tryEach } from '../input/try-each.js';
import type { CommandContext } from '../suite/command-context.js';
import { findCompanion } from '../companions/find-companion.js';
import { showMood } from '../companions/mood.js';
import { WHY_COLUMNS } from '../memories/memory-columns.js';
import { answerQuestion, askAbout, questionName, wholeArguments } from '../tools/questions.js';
import { showLast, showSince } from './last-said.js';
import { readInput, type ChatCommand, type ChatInput } from './read-input.js';
import { sendMessage, type ChatPlace } from './send-message.js';

/** Characters of a line that are read: room for a message and for spaces around it, which do not count. */
const MAX_LINE_LENGTH = 2 * MAX_MESSAGE_CHARACTERS;

const HELP = `/why   what the last reply recalled, and why
/last  what was said here last, also while you were away
/mood  how the companion feels now
/yes   let it use the tool that it asks about (/always: and do not ask again; /no: leave it)
/quit  leave (Ctrl-C or Ctrl-D too; Ctrl-C while an answer comes only stops waiting)
//…    say something that begins with a slash`;

/** Adds the command to talk: one message, lines of a pipe, or a conversation. */
export function addChatCommand(program: Command, context: CommandContext): void {
  addCommand(
    program,
    'chat [words...]',
    'talk to a companion: say one thing, hold a conversation, or answer the lines of a pipe',
  )
    .option(...COMPANION_FLAG)
    .option('--conversation <name>', 'which thread', 'main')
    .option('--message <text>', 'say one thing and leave; the same as words after chat')
    .addHelpText('after', '\nFor one message: kith chat "How are you?"')
    .action(async (words, { companion, conversation, message }) => {
      if (words.length > 0 && message !== undefined)
        throw new CliError('give the message after chat or with --message, not both', 2);
      const session = new ChatSession(context, { ...(await lookUp(context, companion)), conversation });
      if (words.length > 0 || message !== undefined) await sayOnce(session, message ?? words.join(' '));
      else if (context.terminal.isInteractive) await converse(context, session);
      else await answerLines(context, session);
    });
}

/** Looks the companion up. While personality is down its id is used as given: the gateway answers even so. */
async function lookUp(context: CommandContext, wanted: string | undefined) {
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

/** Reads what to say and does it: the same for a line that is typed, piped or given as an option. */
class ChatSession {
  private lastTurn: TurnView | null = null;

  constructor(
    private readonly context: CommandContext,
    readonly place: ChatPlace,
  ) {}

  /** @throws CliError when the line is a mistake, when its turn failed, or when a command did */
  async take(input: ChatInput, signal: AbortSignal): Promise<'goes on' | 'leaves'> {
    switch (input.kind) {
      case 'nothing':
        return 'goes on';
      case 'mistake':
        throw new CliError(input.problem, 2);
      case 'message':
        await this.say(input.text, signal);
        if (this.lastTurn?.questions) this.context.terminal.note('answer with /yes, /always or /no');
        return 'goes on';
      case 'command':
        if (input.name === 'quit') return 'leaves';
        await this.run(input.name, signal);
        return 'goes on';
    }
  }

  /** Sends a message; shows the reply, and the questions of its tools. */
  async say(text: string, signal: AbortSignal): Promise<void> {
    this.lastTurn = await sendMessage(this.context, this.place, text, signal);
    for (const question of this.lastTurn.questions ?? [])
      this.context.terminal.note(wholeArguments(question));
  }

  /** Asks the person about the tools that the last reply would use. */
  askAbout(): Promise<void> {
    return askAbout(this.context, this.lastTurn?.questions ?? []);
  }

  /** Answers the questions of the last reply. */
  private async answer(context: CommandContext, answer: ToolAnswer): Promise<void> {
    const asked = this.lastTurn?.questions ?? [];
    if (asked.length === 0)
      throw new CliError('the last reply asks nothing; kith tools questions lists all', 2);
    // No question is asked twice: one whose answer failed may still wait for kith tools answer.
    this.lastTurn = null;
    await tryEach(context.terminal, asked, questionName, ({ id }) => answerQuestion(context, id, answer));
  }

  private async run(name: Exclude<ChatCommand, 'quit'>, signal: AbortSignal): Promise<void> {
    const { config, terminal } = this.context;
    const context = { config, terminal, api: openApi(() => ({ ...config, signal }), terminal) };
    switch (name) {
      case 'why':
        if (!this.lastTurn) return terminal.note('there is no reply yet');
        if (this.lastTurn.recalled.length === 0) return terminal.note('it recalled nothing for that reply');
        return terminal.table(this.lastTurn.recalled, WHY_COLUMNS);
      case 'last':
        return showLast(context, this.place);
      case 'mood':
        return showMood(context, await findCompanion(context, this.place.companionId), false);
      case 'help':
        return terminal.line(HELP);
      case 'yes':
      case 'always':
      case 'no':
        return this.answer(context, name);
    }
  }
}

/** Says one message that the command line gives; a command of the conversation makes no sense there. */
async function sayOnce(session: ChatSession, message: string): Promise<void> {
  const input = readInput(message, MAX_MESSAGE_CHARACTERS);
  if (input.kind === 'nothing') throw new CliError('the message is empty: say something', 2);
  const text = message.trim();
  if (input.kind === 'command')
    throw new CliError(`${text} is a command of the conversation. To say it: /${text}`, 2);
  if (input.kind === 'mistake') throw new CliError(input.problem, 2);
  await session.say(input.text, new AbortController().signal);
  await session.askAbout();
}

/**
 * Answers each line of a pipe in turn. A mistaken line is named and skipped, and makes the exit code 2; a turn that
 * fails ends the command and is named, as what follows may build on its reply.
 */
async function answerLines({ terminal }: CommandContext, session: ChatSession): Promise<void> {
  const { signal } = new AbortController();
  if (terminal.input.isTTY) terminal.note('type a line for each message; Ctrl-D ends');
  let number = 0;
  let mistakes = 0;
  const endAtLine = (error: unknown) => {
    if (!(error instanceof CliError)) throw error;
    const { message, exitCode } = error;
    throw new CliError(`line ${number}: ${message}; no later line was sent`, exitCode, { cause: error });
  };
  for await (const line of linesOf(textPieces(PIPE, terminal.input), MAX_LINE_LENGTH)) {
    number += 1;
    const input = readInput(line, MAX_MESSAGE_CHARACTERS);
    if (input.kind === 'mistake') {
      mistakes += 1;
      terminal.note(terminal.red(`line ${number}: ${input.problem}`));
    } else if ((await session.take(input, signal).catch(endAtLine)) === 'leaves') {
      break;
    }
  }
  if (mistakes > 0) throw new CliError(`not sent: ${counted(mistakes, 'line')} of the input`, 2);
}

/** Talks until the person leaves. A failure is printed, and the conversation goes on. */
async function converse(context: CommandContext, session: ChatSession): Promise<void> {
  const { terminal } = context;
  const { companionName, conversation } = session.place;
  terminal.note(`talking to ${companionName} in "${conversation}"; /help for more`);
  await showSince(context, session.place);
  const lines = createInterface({ input: terminal.input, output: terminal.output, prompt: 'you: ' });
  let waiting: AbortController | null = null;
  let isOver = false as boolean;
  // Ctrl-D may come while an answer is awaited, which is shown still.
  lines.once('close', () => (isOver = true));
  lines.on('SIGINT', () => (waiting ? waiting.abort() : lines.close()));
  lines.prompt();
  for await (const line of lines) {
    waiting = new AbortController();
    const { signal } = waiting;
    const input = readInput(line, MAX_MESSAGE_CHARACTERS);
    try {
      if ((await session.take(input, signal)) === 'leaves') break;
    } catch (error) {
      const outcome =
        input.kind === 'command'
          ? 'what was begun may be done still'
          : 'a reply that was begun will be in the conversation: /last';
      if (signal.aborted) terminal.note(`(no longer waiting; ${outcome})`);
      else if (error instanceof CliError) terminal.note(terminal.red(error.message));
      else throw error;
    } finally {
      waiting = null;
    }
    if (!isOver) lines.prompt();
  }
  lines.close();
  terminal.line();
}
