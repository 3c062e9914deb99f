import type { DraftLine } from './exchanges-of.js';

/** Names before a line's colon where the person speaks, in lower case. */
const PERSON = new Set(['{{user}}', '<user>', 'user', 'you']);

/** Reads a card's example dialogue: talks parted by `<START>`, in lines such as `{{char}}: Hello.` */
export function readDialogues(text: string, name: string): DraftLine[][] {
  const companion = new Set(['{{char}}', '<char>', '<bot>', name.trim().toLowerCase()]);
  return text.split(/<START>/i).map((talk) => {
    // Joined at the end: to add a hundred thousand lines to a text one by one copies it as often.
    const lines: { who: DraftLine['who']; parts: string[] }[] = [];
    for (const line of talk.split('\n')) {
      const colon = line.indexOf(':');
      const speaker = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
      const who = PERSON.has(speaker) ? 'person' : companion.has(speaker) ? 'companion' : null;
      if (who) lines.push({ who, parts: [] });
      const parts = lines.at(-1)?.parts;
      const said = who ? line.slice(colon + 1) : line;
      if (said.trim() !== '') parts?.push(parts.length === 0 ? said.trim() : said.trimEnd());
    }
    return lines.map(({ who, parts }) => ({ who, text: parts.join('\n') }));
  });
}

/** Writes dialogues as a card has them. */
export function writeDialogues(dialogues: readonly (readonly DraftLine[])[]): string {
  return dialogues
    .flatMap((lines) => [
      '<START>',
      ...lines.map(({ who, text }) => `{{${who === 'person' ? 'user' : 'char'}}}: ${text}`),
    ])
    .join('\n');
}
