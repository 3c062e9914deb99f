/**
 * Words that a door puts into a message beside those that its sender typed: notes of what was sent with it, which hold a
 * forwarded text or the name of a file, and names in the place of markup. Both are somebody else's words.
 */

/** Beginning of a note (`sent-beside.ts`), which ends at the first bracket that closes. */
export const NOTE_OPENING = '[sent ';
/** Unicode's marks around an inserted text: they do not show, and chat programs set them around names. */
const NAME_FROM = '\u2068';
const NAME_TO = '\u2069';

/** Notes and names as a door writes them. The end of the last one may have been cut off. */
const NOTES = /\[sent [^[\]]*\]?/g;
const NAMES = /\u2068([^[\u2068\u2069]*)\u2069?/g;

/** Marks a name that a door inserts. */
export function insertedName(name: string): string {
  return `${NAME_FROM}${withoutMarks(name)}${NAME_TO}`;
}

/** Puts what is inserted on one line, without the marks of notes and names: none begins or ends within it. */
export function withoutMarks(text: string): string {
  return text
    .replaceAll(/[\u2068\u2069]/g, '')
    .replaceAll(/[[\]\s]+/g, ' ')
    .trim();
}

/**
 * Keeps of a message what its sender typed. Whoever reads it as theirs, by rules or by a model, reads only this.
 * @param worded gives what stands for an inserted name; a space if left out
 */
export function typedWords(text: string, worded: (name: string) => string = () => ' '): string {
  return text
    .replaceAll(NOTES, ' ')
    .replaceAll(NAMES, (_, name: string) => worded(name))
    .trim();
}

/** Puts letters in the place of what was inserted, as many as it has characters: nowhere there may a text be cut in two. */
export function unbroken(text: string): string {
  const asLetters = (inserted: string) => 'x'.repeat(inserted.length);
  return text.replaceAll(NOTES, asLetters).replaceAll(NAMES, asLetters);
}
