import { oneLine, shorten } from '@kith/contracts';

/** A text of at most so many characters, ended after a sentence or a word where there is one. */
export function cutAtSentence(text: string, max: number): string {
  const trimmed = text.trim();
  if (trimmed.length <= max) return trimmed;
  const head = trimmed.slice(0, max - 1);
  const sentence = Math.max(...['. ', '! ', '? ', '\n'].map((end) => head.lastIndexOf(end)));
  // An end in the first half would lose more than a sentence that breaks off.
  if (sentence > max / 2) return head.slice(0, sentence + 1).trim();
  return shorten(trimmed, max);
}

/** A text in pieces of at most so many characters, broken at paragraphs, lines or words. */
export function splitText(text: string, max: number): string[] {
  const pieces: string[] = [];
  let rest = text.trim();
  while (rest.length > max) {
    const head = rest.slice(0, max);
    const end = ['\n\n', '\n', ' '].map((mark) => head.lastIndexOf(mark)).find((at) => at > max / 2) ?? max;
    const isWithinPair = end === max && /[\ud800-\udbff]$/.test(head);
    const cut = isWithinPair ? end - 1 : end;
    pieces.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  return rest === '' ? pieces : [...pieces, rest];
}

/** The first sentence of a text. */
export function firstSentence(text: string): string {
  const line = oneLine(text);
  const end = line.search(/[.!?](?: |$)/);
  return end === -1 ? line : line.slice(0, end + 1);
}

/** Macros within one another that are expanded: cards have two. */
const MAX_NESTED = 5;

/** Macro without others within. */
const INNERMOST = /\{\{([^{}]*)\}\}/g;

/** Names of the companion in cards, and in characters of ElizaOS. */
const COMPANION = /^(?:char|agent|agentname)$/;
/** Names of the person, and of the one of example dialogue that Character.AI exports. */
const PERSON = /^(?:user|user\d|name\d|random_user_\d+)$/;
const CHOICE = /^(?:random|pick)\s?:{1,2}/;
/** Macros that steer a program or note something, and stand for no words. */
const WORDLESS = /^(?:$|\/\/|(?:comment|hidden_key|newline|noop|original|setvar|trim)(?:$|[\s:]))/;
/** A report that names more is read by nobody. */
const MAX_NAMED_MACROS = 10;

/** Names the macros in a text that would stand for words in another program, and that are left out here. */
export function macrosLeftOut(text: string): string[] {
  const commands = Array.from(text.matchAll(INNERMOST), ([, macro = '']) => macro.trim().toLowerCase());
  const left = commands.filter((command) =>
    [COMPANION, PERSON, CHOICE, WORDLESS].every((known) => !known.test(command)),
  );
  const names = left.map((command) => command.split(/[\s:]/, 1)[0] ?? '');
  return [...new Set(names)].slice(0, MAX_NAMED_MACROS).map((name) => `{{${name.slice(0, 40)}}}`);
}

/**
 * A text of a card without macros: the companion is called by its name, the person as `person` says, a choice is its
 * first option, and what only steers a program is left out. The innermost is expanded first.
 */
export function expandMacros(text: string, { name, person }: { name: string; person: string }): string {
  // A name that is a macro itself would be expanded over and over.
  const plain = (each: string): string => each.replaceAll(/[{}]/g, '');
  const names = { companion: plain(name), other: plain(person) };
  let expanded = text.replaceAll(/<(?:user|bot|char)>/gi, (tag) =>
    tag.toLowerCase() === '<user>' ? names.other : names.companion,
  );
  for (let nested = 0, before = ''; nested < MAX_NESTED && expanded !== before; nested++) {
    before = expanded;
    expanded = expanded.replaceAll(INNERMOST, (_, macro: string) => expandMacro(macro.trim(), names));
  }
  return expanded;
}

function expandMacro(macro: string, names: { companion: string; other: string }): string {
  const command = macro.toLowerCase();
  if (COMPANION.test(command)) return names.companion;
  if (PERSON.test(command)) return names.other;
  if (command === 'newline') return '\n';
  const choice = CHOICE.exec(command);
  if (!choice) return '';
  const options = macro.slice(choice[0].length);
  // Options between double colons may hold commas; elsewhere one with a backslash before it ends none.
  const [first = ''] = options.includes('::') ? options.split('::') : options.split(/(?<!\\),/);
  return first.replaceAll('\\,', ',').trim();
}
