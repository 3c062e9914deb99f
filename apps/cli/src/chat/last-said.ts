import { conversationRoutes, type TranscriptEntry } from '@kith/contracts';
import type { z } from 'zod';
import { findCompanion } from '../companions/find-companion.js';
import { CliError } from '../input/cli-error.js';
import type { CommandContext } from '../suite/command-context.js';
import { MAX_PAGE } from '../suite/read-list.js';
import type { Terminal } from '../terminal/terminal.js';
import { minuteOf } from '../terminal/value-words.js';
import type { ChatPlace } from './send-message.js';

/** Lines that are read: a few exchanges, which fit on a screen. */
const LINES = 10;

type Line = z.infer<typeof TranscriptEntry>;

/** Shows the last lines of a conversation. */
export async function showLast(context: CommandContext, place: ChatPlace): Promise<void> {
  const lines = await readLast(context, place);
  if (lines.every(({ text }) => text === ''))
    return context.terminal.note('nothing was said here lately that can be shown');
  printLines(context.terminal, lines);
}

/**
 * Shows what the companion said after the person's last line: its reply, and what it wrote of its own accord. Nothing else
 * at a terminal tells of that.
 */
export async function showSince(context: CommandContext, place: ChatPlace): Promise<void> {
  try {
    const lines = await readLast(context, place);
    printLines(context.terminal, lines.slice(lines.findLastIndex(({ role }) => role === 'person') + 1));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    context.terminal.note(`what was said last could not be read: ${error.message}`);
  }
}

/**
 * Reads the last lines, the oldest first; none where nothing was said lately.
 * @throws PartDown while nobody knows which companion is the default one
 */
async function readLast(context: CommandContext, place: ChatPlace): Promise<Line[]> {
  const { api } = context;
  const companionId = place.companionId ?? (await findCompanion(context, undefined)).id;
  const { conversations } = await api.call(conversationRoutes.list, { query: { limit: MAX_PAGE } });
  const found = conversations.find(
    (one) => one.door === 'http' && one.companionId === companionId && one.name === place.conversation,
  );
  if (!found) return [];
  const query = { limit: LINES };
  return (await api.call(conversationRoutes.messages, { params: { id: found.id }, query })).messages;
}

/** Prints lines with their times and speakers, apart from those whose words are withheld. */
function printLines(terminal: Terminal, lines: readonly Line[]): void {
  for (const { at, name, text } of lines.filter((line) => line.text !== ''))
    terminal.line(`${terminal.dim(minuteOf(at))} ${terminal.bold(`${name}: `)}${text}`);
}
