/** Texts as lines of a message. */

/** One line of at most `limit` characters, without markup that would spoil the lines around it. */
export function oneLine(text: string, limit: number): string {
  const flat = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[*_~`|>\\]/g, '')
    // An address never stands behind other words.
    .replaceAll('](', '] (')
    .trim();
  return flat.length <= limit
    ? flat
    : `${Array.from(flat)
        .slice(0, limit - 1)
        .join('')}…`;
}

/** Discord's own date, shown in each reader's zone and language. */
export function discordDate(iso: string, style: 'd' | 'R' = 'd'): string {
  return `<t:${Math.floor(Date.parse(iso) / 1_000)}:${style}>`;
}

// Below Discord's 2,000, with room for a line that says what was left out.
const MAX_CHARACTERS = 1_900;

/** True when a text fits one message. */
export function fitsMessage(text: string): boolean {
  return text.length <= MAX_CHARACTERS;
}

/** As many lines as a message holds. */
export function fitLines(lines: readonly string[]): string {
  let length = 0;
  const fitting = lines.filter((line) => (length += line.length + 1) <= MAX_CHARACTERS);
  return fitting.join('\n');
}
