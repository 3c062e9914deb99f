/** Characters that a rule reads of one text, as its time grows with them: the longest message of Discord. */
const MAX_READ = 4_000;

/**
 * Prepares a text from outside for rules: each run of white space becomes one space, or one line break where it has one,
 * and what is after `most` characters is left out. Rules can then look for a space in place of `\s+`, which takes
 * quadratic time over a long run that leads nowhere.
 */
export function textForRules(text: string, most = MAX_READ): string {
  const read = collapsed(text, most).slice(0, most);
  // Never half a surrogate pair.
  return (/[\uD800-\uDBFF]$/.test(read) ? read.slice(0, -1) : read).trim();
}

/** White space that is more than a space between words: most messages have none. */
const RUN = /[^\S ]| {2}/;

/** Collapses runs of white space, from the beginning of a text on until there are `most` characters. */
function collapsed(text: string, most: number): string {
  // A run beyond changes nothing of what is read.
  if (!RUN.test(text.slice(0, most + 1))) return text;
  let read = '';
  let from = 0;
  for (const { 0: run, index } of text.matchAll(/\s+/g)) {
    read += text.slice(from, index) + (run.includes('\n') ? '\n' : ' ');
    if (read.length >= most) return read;
    from = index + run.length;
  }
  return read + text.slice(from);
}

/** Splits a text into its first sentences, at most `most`, each with its end mark. */
export function splitSentences(text: string, most: number): string[] {
  return text.split(/(?<=[.!?…\n。]) ?/u, most);
}

/**
 * Takes these marks and white space off the end of a text. An expression (`[.! ]+$`) would take quadratic time over a long
 * run of marks that is not at the end.
 */
export function trimEndOf(text: string, marks: string): string {
  let end = text.length;
  const isTrimmed = (character: string) => marks.includes(character) || character.trim() === '';
  while (end > 0 && isTrimmed(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
