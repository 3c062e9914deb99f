import { inParts } from '@kith/contracts';
import { cutAtSentence } from './texts.js';

/**
 * Names before a line's colon where the person speaks, in lower case and without marks: `{{random_user_1}}`, as
 * Character.AI has it, without its underscores.
 */
const PERSON = /^(?:\{\{(?:user|randomuser\d+)\}\}|<user>|user|you)$/;

/** A colon behind a speaker, as Chinese and Japanese write it, too. */
const COLON = /[:：]/;
/** Marks for bold, italics and speech around a speaker. */
const MARKS = /^[*_"“„]+/;

/** Reads a card's example dialogue: talks parted by `<START>`, in lines such as `{{char}}: Hello.` */
export function readDialogues(text: string, name: string): DraftLine[][] {
  const companion = new Set(['{{char}}', '<char>', '<bot>', name.trim().toLowerCase()]);
  return text.split(/<START>/i).map((talk) => {
    // Joined at the end: to add a hundred thousand lines to a text one by one copies it as often.
    const lines: { who: DraftLine['who']; parts: string[] }[] = [];
    for (const line of talk.split('\n')) {
      const colon = line.search(COLON);
      const { mark, speaker } = speakerOf(line.slice(0, Math.max(colon, 0)));
      const who = PERSON.test(speaker) ? 'person' : companion.has(speaker) ? 'companion' : null;
      if (who) lines.push({ who, parts: [] });
      const parts = lines.at(-1)?.parts;
      const said = who ? withoutMark(line.slice(colon + 1), mark) : line;
      if (said.trim() !== '') parts?.push(parts.length === 0 ? said.trim() : said.trimEnd());
    }
    return lines.map(({ who, parts }) => ({ who, text: parts.join('\n') }));
  });
}

/** A speaker as it stands before a colon, such as `**{{ user }}`, without its mark and the spaces within a macro. */
function speakerOf(before: string): { mark: string; speaker: string } {
  const [mark = ''] = MARKS.exec(before.trim()) ?? [];
  const name = before
    .trim()
    .slice(mark.length)
    .replaceAll(/[*_"”“]/g, '')
    .trim()
    .toLowerCase();
  // A macro may have spaces within.
  const macro = name.startsWith('{{') && name.endsWith('}}') ? name.slice(2, -2).trim() : null;
  return { mark, speaker: macro === null ? name : `{{${macro}}}` };
}

/** Removes the end of a speaker's mark, which stands behind the colon (`**Ann:** Hello`) or ends the line (`*Ann: Hello*`). */
function withoutMark(said: string, mark: string): string {
  if (mark === '') return said;
  if (said.startsWith(mark)) return said.slice(mark.length);
  const line = said.trimEnd();
  const end = mark.replaceAll('“', '”').replaceAll('„', '“');
  // One that is opened within the line is the line's own: `"Ann: he said "hi""`.
  const isOpen = line.endsWith(end) && !line.slice(0, -end.length).includes(end);
  return isOpen ? line.slice(0, -end.length) : said;
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

/** One line of example dialogue, or of a longer talk. */
export interface DraftLine {
  who: 'person' | 'companion';
  text: string;
}

/** Limits of a persona's example dialogue: see `persona.ts`. */
export const MAX_LINE = 600;
export const MAX_EXCHANGES = 12;
const MAX_LINES_OF_EXCHANGE = 8;
/** Stands for what the person said where a talk does not tell. */
const UNSAID: DraftLine = { who: 'person', text: '…' };

/** Cuts a talk into exchanges as a persona has them: each begins with the person, and the companion answers. */
export function exchangesOf(lines: readonly DraftLine[]): DraftLine[][] {
  const merged: DraftLine[] = [];
  for (const line of lines.filter(({ text }) => text !== '')) {
    const last = merged.at(-1);
    if (last?.who === line.who) last.text = cutAtSentence(`${last.text}\n${line.text}`, MAX_LINE);
    else merged.push({ ...line });
  }
  const [first] = merged;
  // Many cards have what the companion says alone: their authors leave out what it is an answer to.
  if (first?.who === 'companion' && merged.length === 1) return [[UNSAID, first]];
  if (first?.who === 'companion') merged.shift();
  return inParts(merged, MAX_LINES_OF_EXCHANGE).filter(({ length }) => length >= 2);
}
