/**
 * The most that a rule reads of one text. Discord's longest message has 4,000 characters; whoever writes more in one
 * is not read to the end, since the time a rule takes grows with what it reads.
 */
const MAX_READ = 4_000;

/**
 * Makes of a text from outside what rules may read: each run of white space is one space, or one line break where it
 * held one, and the rest after `most` characters is left out. Rules can then ask for a space instead of `\s+`, which
 * takes quadratic time over a long run that leads nowhere.
 */
export function textForRules(text: string, most = MAX_READ): string {
  const read = collapsed(text, most).slice(0, most);
  // Never half a surrogate pair.
  return (/[\uD800-\uDBFF]$/.test(read) ? read.slice(0, -1) : read).trim();
}

/** The text with its runs collapsed, from its beginning on for `most` characters at least. */
function collapsed(text: string, most: number): string {
  let read = '';
  let from = 0;
  for (const { 0: run, index } of text.matchAll(/\s+/g)) {
    read += text.slice(from, index) + (run.includes('\n') ? '\n' : ' ');
    if (read.length >= most) return read;
    from = index + run.length;
  }
  return read + text.slice(from);
}

/**
 * A text without these marks and the white space at its end. As an expression (`[.! ]+$`) this takes quadratic time
 * over a long run of marks that is not at the end.
 */
export function trimEndOf(text: string, marks: string): string {
  let end = text.length;
  while (end > 0 && isTrimmed(text.charAt(end - 1), marks)) end -= 1;
  return text.slice(0, end);
}

function isTrimmed(character: string, marks: string): boolean {
  return marks.includes(character) || character.trim() === '';
}
