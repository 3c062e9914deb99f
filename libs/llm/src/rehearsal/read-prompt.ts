import { textOf, type ChatMessage } from '../messages.js';

export interface RehearsalPrompt {
  /** Latest message; empty for outreach. */
  said: string;
  /** Notes that may answer it: all that the prompt tells as data, and the talk before. */
  notes: Note[];
  /** Names that notes call the person by, the longest first. */
  names: string[];
  /** The word for the mood, such as `relaxed`; null when the prompt has none. */
  mood: string | null;
  /** Private talk: nothing of it is remembered. */
  isPrivate: boolean;
  /** The person asks not to be written to first: in what is answered, or in what they said right before. */
  silence: 'now' | 'before' | null;
  /** Reason the companion writes first; null in a reply. */
  outreach: string | null;
}

/** One line that may be cited. */
export interface Note {
  /**
   * `line`: something said, from memory. `talk`: something said earlier in this talk. `fact`: something kept of the
   * person, in our words. `lore`: something of the companion's world, or of a document.
   */
  kind: 'line' | 'talk' | 'fact' | 'lore';
  /** Speaker; null for the person who is talking now. */
  speaker: string | null;
  /** The day it was said, ISO; null when the prompt has none. */
  date: string | null;
  text: string;
  /** Lines of another right before it, the nearest first: a short answer is about the question. */
  before: readonly string[];
}

/** Blocks of a user message that are no words of the person. */
const DATA_BLOCKS = [
  'earlier',
  'memories',
  'core',
  'lore',
  'wishes',
  'unsettled',
  'tasks',
  'jokes',
  'quoted',
  'asked',
  'person',
  'outreach',
] as const;
type Block = (typeof DATA_BLOCKS)[number] | 'mood';

/** Most lines that the rules look at, more than a prompt holds. */
const MAX_NOTES = 300;
/** Most characters of a line that the rules read; what a reply quotes is shorter. */
const LINE_CHARACTERS = 2_000;
/** Lines whose words bear on the next ones. */
const BEFORE = 2;
/** A display name's longest, as the prompt cuts it. */
const NAME_CHARACTERS = 40;
/** A name is a few words; more is a sentence with a colon. */
const NAME_WORDS = 4;
/** Ends that describe-fact.ts gives a fact: since when it holds, and until when. */
const FACT_END = /\((?:since|from|said on) \d{1,2} [A-Z][a-z]+ \d{4}[^()]{0,80}\)$/u;

/** Mark of a document's part among memories, as the prompt sets it. */
const FROM_TEXT = 'From a text: ';

/** End of the name before a speaker's facts in a snapshot: their words are picked out, and nobody said them like that. */
const IN_BRIEF = ', in brief';

/** Beginning of the line for private talk in a system message. */
const IN_PRIVATE = /^They talk in private: /mu;

/** Beginning of the line for somebody who asks not to be written to first. */
const IN_SILENCE = /^They ask(?:ed)? you (just now|right before this) never to write first\./mu;

/** As core memory and describe-fact.ts word the name that a person gave themself. */
const CALLED = /^(?:They are|This person is) called ([^.(]{1,80})/u;

/**
 * Reads the marks that the gateway's prompt carries for any model:
 * - memories, in a user message: a line `<memories>`, for each day a line such as `Monday, 8 May 2023, 3 weeks ago:`
 *   and lines `- text`, `- Name: text` where another than the person said it, or `- From a text: text` of a document, a line
 *   `</memories>`;
 * - the beginning of the talk in the same form, between `<earlier>` and `</earlier>`, with a name before every line, and
 *   facts of a speaker as `- Name, in brief: words | words`;
 * - core memory and lore the same way, their lines without a dash, and those of core memory indented below their title;
 * - the mood, in a system message, between `<mood>` and `</mood>`, and there lines for private talk and for silence;
 * - the reason of an outreach, in the last system or user message, between `<outreach>` and `</outreach>`;
 * - in a channel each message of a person begins with `Name: `, and its further lines are indented;
 * - the last user message that is more than such a block is the one to answer, and those before it are the talk.
 */
export function readPrompt(messages: readonly ChatMessage[]): RehearsalPrompt {
  const texts = messages.map(({ role, content }) => ({ role, text: textOf(content) }));
  const system = texts.filter(({ role }) => role === 'system').map(({ text }) => text);
  const lastSpoken = texts.findLast(({ role }) => role === 'user' || role === 'system');
  const outreach = lastSpoken ? blockIn(lastSpoken.text, 'outreach') : null;
  const talk = texts
    .filter(({ role }) => role === 'user' || role === 'assistant')
    .map(({ role, text }) => ({ role, text: role === 'user' ? withoutBlocks(text) : text }))
    .filter(({ text }) => text !== '');
  const last = Math.max(
    0,
    talk.findLastIndex(({ role }) => role === 'user'),
  );
  const [asker] = spokenBy(talk[last]?.text ?? '');
  // Of a burst, the last line is the one to answer, and what came before it may be what answers.
  const burst = linesOf(talk[last]?.text ?? '').map((line) => ownPart(line, asker));
  const before = burst.slice(0, -1).join('\n');
  const earlier = [
    ...talk.slice(0, last),
    // Under their own name, so that another one at its beginning is a word of theirs.
    { role: 'user', text: asker === null || before === '' ? before : `${asker}: ${before}` },
  ];
  const account = texts.flatMap(({ text }) => blockIn(text, 'person') ?? []).join('\n');
  const notes = [
    ...texts.flatMap(({ role, text }) => (role === 'user' ? notesOf(text, { asker, account }) : [])),
    ...talkNotes(earlier, asker),
  ];
  return {
    said: outreach === null ? burst.join('\n').slice(-LINE_CHARACTERS) : '',
    notes: notes.slice(0, MAX_NOTES),
    names: namesOf(account, notes),
    mood: moodWord(system.map((text) => blockIn(text, 'mood')).find((block) => block !== null) ?? ''),
    isPrivate: system.some((text) => IN_PRIVATE.test(text)),
    silence: silenceIn(system),
    outreach,
  };
}

function silenceIn(system: readonly string[]): RehearsalPrompt['silence'] {
  const [asked] = system.flatMap((text) => IN_SILENCE.exec(text)?.[1] ?? []);
  if (asked === undefined) return null;
  return asked === 'just now' ? 'now' : 'before';
}

/** The lines of a text that say something, the last so many. */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .slice(-MAX_NOTES)
    .map((line) => line.trim())
    .filter(Boolean);
}

/** A line without its speaker's name, where that is the one who asks. */
function ownPart(line: string, asker: string | null): string {
  return asker !== null && line.startsWith(`${asker}: `) ? line.slice(asker.length + 2).trim() : line;
}

/** Finds the text between a block's marks. They stand on lines of their own, which nothing that people write does. */
function blockIn(text: string, mark: Block): string | null {
  const from = text.indexOf(`<${mark}>\n`);
  const to = text.lastIndexOf(`\n</${mark}>`);
  return from === -1 || to < from ? null : text.slice(from + mark.length + 3, to).trim();
}

function withoutBlocks(text: string): string {
  let rest = text;
  for (const mark of DATA_BLOCKS) {
    const from = rest.indexOf(`<${mark}>\n`);
    const end = `\n</${mark}>`;
    const to = rest.lastIndexOf(end);
    if (from !== -1 && to >= from) rest = rest.slice(0, from) + rest.slice(to + end.length);
  }
  return rest.trim();
}

/** Collects the names that notes call the person by: that of their account, and the one they gave themself. */
function namesOf(account: string, notes: readonly Note[]): string[] {
  const own = notes.filter(({ kind }) => kind === 'fact').flatMap(({ text }) => CALLED.exec(text)?.[1] ?? []);
  const names = [...linesOf(account), ...own].map((name) => name.trim()).filter(Boolean);
  return [...new Set(names)].toSorted((a, b) => b.length - a.length);
}

function notesOf(text: string, { asker, account }: { asker: string | null; account: string }): Note[] {
  const block = blockIn(text, 'earlier') ?? '';
  const name = asker ?? account;
  // Whoever has the companion's name is marked, and the companion is not.
  const marked = `${name} (member)`;
  const earlier = memoryNotes(block, block.includes(`\n- ${marked}: `) ? marked : name);
  return [
    ...plainNotes(blockIn(text, 'core'), 'fact').filter((note) => !/ \(\w+\):$/.test(note.text)),
    ...memoryNotes(blockIn(text, 'memories') ?? ''),
    // Alone with the person, the other who spoke is the companion.
    ...earlier.filter(({ speaker }) => asker !== null || speaker === null),
    ...plainNotes(blockIn(text, 'lore'), 'lore'),
  ];
}

function plainNotes(block: string | null, kind: 'fact' | 'lore'): Note[] {
  return linesOf(block ?? '')
    .map((line) => line.slice(0, LINE_CHARACTERS))
    .map((text): Note => ({ kind, speaker: null, date: null, text, before: [] }));
}

/** Reads lines of occasions: of a snapshot those of `own` as the person's, and none that stands for others in brief. */
function memoryNotes(block: string, own: string | null = null): Note[] {
  const notes: Note[] = [];
  let date: string | null = null;
  let before: string[] = [];
  for (const line of linesOf(block)) {
    if (!line.startsWith('- ')) {
      date = dayIn(line) ?? date;
      before = [];
      continue;
    }
    const whole = line.slice(2, LINE_CHARACTERS).trim();
    if (whole.startsWith(FROM_TEXT)) {
      notes.push({ kind: 'lore', speaker: null, date, text: whole.slice(FROM_TEXT.length), before: [] });
      before = [];
      continue;
    }
    if (own !== null && whole.slice(0, Math.max(0, whole.indexOf(': '))).endsWith(IN_BRIEF)) continue;
    const isFact = FACT_END.test(whole.slice(-160));
    const [name, text] = isFact ? [null, whole] : spokenBy(whole);
    const speaker = name === own ? null : name;
    notes.push({ kind: isFact ? 'fact' : 'line', speaker, date, text, before: isFact ? [] : before });
    if (!isFact) before = [text, ...before].slice(0, BEFORE);
    if (isFact || speaker === null) before = [];
  }
  return notes;
}

/**
 * Lines of people earlier in this talk; the companion's questions are known as what came before. In a channel each
 * message begins with its speaker, in a direct talk none does.
 */
function talkNotes(talk: readonly { role: string; text: string }[], asker: string | null): Note[] {
  const notes: Note[] = [];
  let before: string[] = [];
  for (const { role, text } of talk) {
    const [named, said] = role === 'user' && asker !== null ? spokenBy(text) : [null, text];
    const speaker = named === asker ? null : named;
    for (const line of linesOf(said)) {
      const cut = line.slice(0, LINE_CHARACTERS);
      if (role === 'user') notes.push({ kind: 'talk', speaker, date: null, text: cut, before });
      // Two lines of one person after each other are no exchange.
      if (role === 'user' && speaker === null) before = [];
      // A reply that quotes is about what it quotes, and would make any answer to it look so too.
      else if (!cut.includes('“')) before = [cut, ...before].slice(0, BEFORE);
    }
  }
  return notes;
}

/** `Name: text` as its two parts; null for a line without a name. */
function spokenBy(line: string): [speaker: string | null, text: string] {
  const at = line.slice(0, NAME_CHARACTERS + 2).indexOf(': ');
  const name = at < 1 ? '' : line.slice(0, at);
  const isName =
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N} _.'’-]*(?: \((?:member|member \d+|\d+)\))?$/u.test(name) &&
    name.split(' ').length <= NAME_WORDS;
  return isName ? [name, line.slice(at + 2).trim()] : [null, line];
}

/** The day of a heading such as `Monday, 8 May 2023, 3 weeks ago:`, as `2023-05-08`. */
function dayIn(line: string): string | null {
  const day = /^\w+, (\d{1,2} \w+ \d{4}),? ?[^:]{0,40}:$/.exec(line)?.[1];
  const at = day === undefined ? Number.NaN : Date.parse(`${day} UTC`);
  return Number.isNaN(at) ? null : new Date(at).toISOString().slice(0, 10);
}

/** The mood's own words are `I'm slightly relaxed right now, …`. */
function moodWord(block: string): string | null {
  return /\bI(?:'|’)m (?:\w+ )?(\w+) right now/.exec(block)?.[1] ?? null;
}
