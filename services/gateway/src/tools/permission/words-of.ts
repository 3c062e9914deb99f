/** Letters of a word that must agree: below it `or` would be `order`. */
const MIN_STEM = 4;
/** Letters that an ending may have: `send` is `sending`. */
const MAX_ENDING = 3;

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
