import { textOf, type ChatMessage } from '../messages.js';

/** What the rehearsal finds in a prompt. */
export interface RehearsalPrompt {
  /** What was just said; empty for outreach. */
  said: string;
  memories: RememberedLine[];
  /** The word for the mood, such as `relaxed`; null when the prompt has none. */
  mood: string | null;
  /** Why the companion writes first; null in a reply. */
  outreach: string | null;
}

export interface RememberedLine {
  /** The day it was said, ISO; null when the prompt has none. */
  date: string | null;
  text: string;
}

/**
 * Reads the marks that the gateway's prompt carries for any model:
 * - memories, in a user message: a line `<memories>`, for each day a line such as `Monday, 8 May 2023, 3 weeks ago:`
 *   and lines `- text`, a line `</memories>`;
 * - the mood, in a system message, between `<mood>` and `</mood>`;
 * - the reason of an outreach, in the last system or user message, between `<outreach>` and `</outreach>`;
 * - the last user message that is more than such a block is the one to answer.
 */
export function readPrompt(messages: readonly ChatMessage[]): RehearsalPrompt {
  const textsOf = (role: ChatMessage['role']) =>
    messages.filter((message) => message.role === role).map(({ content }) => textOf(content));
  const user = textsOf('user');
  const system = textsOf('system');
  const said = user.map((text) => withoutBlocks(text)).filter((text) => text !== '');
  const lastSpoken = messages.findLast(({ role }) => role === 'user' || role === 'system');
  const outreach = lastSpoken ? blockIn(textOf(lastSpoken.content), 'outreach') : null;
  return {
    said: outreach === null ? (said.at(-1) ?? '') : '',
    memories: user.flatMap((text) => memoryLines(blockIn(text, 'memories') ?? '')),
    mood: moodWord(system.map((text) => blockIn(text, 'mood')).find((block) => block !== null) ?? ''),
    outreach,
  };
}

function blockIn(text: string, mark: 'memories' | 'mood' | 'outreach'): string | null {
  return new RegExp(`<${mark}>([\\s\\S]*?)</${mark}>`).exec(text)?.[1]?.trim() ?? null;
}

function withoutBlocks(text: string): string {
  return text.replaceAll(/<(memories|outreach)>[\s\S]*?<\/\1>/g, '').trim();
}

function memoryLines(block: string): RememberedLine[] {
  const lines: RememberedLine[] = [];
  let date: string | null = null;
  for (const line of block.split('\n').map((each) => each.trim())) {
    const day = /^(\w+,? \d+ \w+ \d+)(?:, .*)?:$/.exec(line)?.[1];
    if (day !== undefined) date = isoDay(day);
    const text = /^- (.+)$/.exec(line)?.[1];
    if (text !== undefined) lines.push({ date, text });
  }
  return lines;
}

/** `Monday, 8 May 2023` as `2023-05-08`; null for what is no date. */
function isoDay(day: string): string | null {
  const at = Date.parse(`${day} UTC`);
  return Number.isNaN(at) ? null : new Date(at).toISOString().slice(0, 10);
}

/** The mood's own words are `I'm slightly relaxed right now, …`. */
function moodWord(block: string): string | null {
  return /\bI(?:'|’)m (?:\w+ )?(\w+) right now/.exec(block)?.[1] ?? null;
}
