import { conversationRoutes, type TranscriptEntry } from '@kith/contracts';
import type { z } from 'zod';
import type { CommandContext } from '../suite/command-context.js';
import { MAX_PAGE } from '../suite/read-list.js';
import type { Terminal } from '../terminal/terminal.js';
import { minuteOf } from '../terminal/value-words.js';
import type { ChatPlace } from './send-message.js';

/** Lines that are read: a few exchanges, which fit on a screen. */
const LINES = 10;

type Line = z.infer<typeof TranscriptEntry>;

/** Reads the last lines of a conversation, the oldest first; none where nothing was said in it yet. */
export async function readLast(
  { api }: CommandContext,
  { companionId, conversation }: ChatPlace,
): Promise<Line[]> {
  const { conversations } = await api.call(conversationRoutes.list, { query: { limit: MAX_PAGE } });
  const found = conversations.find(
    (one) => one.door === 'http' && one.companionId === companionId && one.name === conversation,
  );
  if (!found) return [];
  const query = { limit: LINES };
  return (await api.call(conversationRoutes.messages, { params: { id: found.id }, query })).messages;
}

/** Picks what the companion said after the person's last line: its reply, and what it wrote of its own accord. */
export function sinceTheirs(lines: readonly Line[]): Line[] {
  return lines.slice(lines.findLastIndex(({ role }) => role === 'person') + 1);
}

/** Prints lines with their times and speakers, apart from those whose words are withheld. */
export function printLines(terminal: Terminal, lines: readonly Line[]): void {
  for (const { at, name, text } of lines.filter((line) => line.text !== ''))
    terminal.line(`${terminal.dim(minuteOf(at))} ${terminal.bold(`${name}: `)}${text}`);
}
