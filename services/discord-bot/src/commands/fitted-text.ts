import { cutText, oneLine } from '@kith/contracts';

/** Turns a text into one line of at most `limit` characters, without markup that would spoil other lines. */
export function shortLine(text: string, limit: number): string {
  const flat = oneLine(text)
    .replaceAll(/[*~`|>\\]/g, '')
    // Between these it is part of a name. Before another letter, Discord takes it for markup.
    .replaceAll(/(?<![a-z\d])_|_(?![a-z\d])/gi, '')
    // No link may hide its address behind other words.
    .replaceAll('](', '] (')
    .trim();
  return flat.length <= limit ? flat : `${cutText(flat, limit - 1)}…`;
}

/** Makes Discord's own date, which each reader sees in their zone and language. */
export function discordDate(iso: string, style: 'd' | 'R' = 'd'): string {
  return `<t:${Math.floor(Date.parse(iso) / 1_000)}:${style}>`;
}

// Below Discord's 2,000, with room for a line that says what was left out.
const MAX_CHARACTERS = 1_900;

/** True when a text fits one message. */
export function fitsMessage(text: string): boolean {
  return text.length <= MAX_CHARACTERS;
}

/** Line with a text that may be cut, behind a part that may not. */
export interface CutLine {
  frame: string;
  text: string;
}

/** Joins all lines below a head. Cuts their texts, to `limit` characters or fewer, until they fit a message. */
export function fitTexts(head: readonly string[], lines: readonly CutLine[], limit: number): string {
  const frames = [...head, ...lines.map(({ frame }) => frame)];
  const room = MAX_CHARACTERS - frames.reduce((sum, frame) => sum + frame.length + 1, 0);
  const each = Math.max(1, Math.min(limit, Math.floor(room / lines.length)));
  return fitLines([...head, ...lines.map(({ frame, text }) => `${frame}${shortLine(text, each)}`)]);
}

/** Joins as many lines as a message holds. */
export function fitLines(lines: readonly string[]): string {
  let length = 0;
  const fitting = lines.filter((line) => (length += line.length + 1) <= MAX_CHARACTERS);
  return fitting.join('\n');
}
