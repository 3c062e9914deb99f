import { SENT_KINDS } from './sent-kinds.js';

/**
 * Words that a door puts into a message beside those that its sender typed: notes of what was sent with it, which hold a
 * forwarded text or the name of a file, and names in the place of markup. Both are somebody else's words.
 */

/** Notes (`sent-beside.ts`), each within a line. The end of one may have been cut off. */
const NOTES = new RegExp(String.raw`\[sent (?:${SENT_KINDS.join('|')})(?::[^[\]\n]*)?\]?`, 'g');
/** Signs of a name that stay: letters, digits and pictures. Sentences and addresses need others. */
const PART = String.raw`[\p{L}\p{M}\p{N}\p{So}]+`;
/** Words of a name, joined within by single signs. */
const WORDS = new RegExp(String.raw`${PART}(?:['’-]${PART})*`, 'gu');
/** Signs that join the words of a name. */
const JOINT = /[_'’-]/g;
/** A further word of a name, with the sign that joins it; not the "'s" behind a name. */
const FURTHER = String.raw`(?:[_'’-](?!s(?![\p{L}\p{M}\p{N}]))${PART})`;
/** A name after the sign that a door puts before it. Within an address the sign does not count. */
const MENTION = String.raw`(?<![^\s([{"'“‘«*~|_])[@#]${PART}`;
const NAMES = new RegExp(`${MENTION}${FURTHER}+`, 'gu');
const ALL_NAMES = new RegExp(`${MENTION}${FURTHER}*`, 'gu');
/** Text after which an inserted name needs a space, or it would be read as part of the word before it. */
const NEEDS_SPACE = /[^\s([{"'“‘«*~|_]$/u;

/**
 * Writes a name as a door inserts it: as one word, in which nobody finds a sentence or an address.
 * @param sign `@` or `#`; empty for the companion's own name
 * @param before text before it
 */
export function insertedName(sign: '@' | '#' | '', name: string, before = ''): string {
  const word = name.match(WORDS)?.join('_') ?? 'someone';
  return `${NEEDS_SPACE.test(before) ? ' ' : ''}${sign}${word}`;
}

/**
 * Keeps of a message what its sender typed: without notes, and with a name of several words as a single one, in which no
 * reader finds words. Whoever reads a message as its sender's own, by rules or by a model, reads this.
 */
export function typedWords(text: string): string {
  return text
    .replaceAll(NOTES, ' ')
    .replaceAll(NAMES, (name) => name.replaceAll(JOINT, ''))
    .trim();
}

/** Removes names that a door inserted. A name of one word may be an order or an amount, too: "@Send", "@5000". */
export function withoutNames(text: string): string {
  return text.replaceAll(ALL_NAMES, ' ');
}

/** Puts letters in the place of notes, as many as they have characters, so that a text is not cut in two within one. */
export function unbrokenNotes(text: string): string {
  return text.replaceAll(NOTES, (note) => 'x'.repeat(note.length));
}
