import { typedWords, withoutNames } from '@kith/contracts';

/** Pairs of marks around somebody else's words. */
const QUOTES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ['‹', '›'],
  ['「', '」'],
  ['『', '』'],
  ['`', '`'],
  ['[', ']'],
  ['<', '>'],
]);
/** Characters of a wish in somebody's own words: longer text was written elsewhere. */
const MAX_CHARACTERS = 600;
/** Lines of one wish: more look like something that was pasted. */
const MAX_LINES = 3;
/** Letters of a word that must agree: below it `or` would be `order`. */
const MIN_STEM = 4;
/** Letters that an ending may have: `send` is `sending`. */
const MAX_ENDING = 3;
/** Verbs for what is done with a text: what follows their colon is that text. */
const HANDLING =
  /\b(?:translate|summari[sz]e|read|explain|correct|proofread|rewrite|shorten|review|check|look at|think of|this|says|said|wrote|quote)\b/iu;

/**
 * Keeps of a message what its sender says themselves: nothing that its door inserted, no quotations, code or forwarded
 * lines, and nothing behind a colon that introduces a text. In doubt, words are not theirs.
 */
export function ownWords(message: string): string {
  const [paragraph = ''] = withoutNames(typedWords(message)).split(/\n\s*\n/u, 1);
  const lines = paragraph.split('\n').slice(0, MAX_LINES);
  const kept: string[] = [];
  for (const line of lines) {
    // A forwarded line, and whatever stands below it.
    if (/^\s*[>|]/u.test(line) || line.startsWith('```')) break;
    const colon = line.search(/[:：](?:\s|$)/u);
    const isIntroduction =
      colon >= 0 && (HANDLING.test(line.slice(0, colon)) || line.slice(colon + 1).trim() === '');
    kept.push(isIntroduction ? line.slice(0, colon) : line);
    if (isIntroduction) break;
  }
  return withoutQuotations(kept.join('\n').slice(0, MAX_CHARACTERS));
}

/** Removes what stands between marks; of a mark that is never closed, all that follows. */
function withoutQuotations(text: string): string {
  let kept = '';
  let closing: string | undefined;
  for (const character of text) {
    if (closing !== undefined) {
      if (character === closing) closing = undefined;
      continue;
    }
    closing = QUOTES.get(character);
    kept += closing === undefined ? character : ' ';
  }
  return kept;
}

/** Splits a text into its words, in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Tells whether two words are the same but for an ending. */
export function isSameWord(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short === long) return true;
  return short.length >= MIN_STEM && long.length - short.length <= MAX_ENDING && long.startsWith(short);
}
