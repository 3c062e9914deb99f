/** Marks the beginning and the end of words that Discord hides until they are touched. */
export const BARS = '||';

const FENCE = '```';
/** Code, in which bars hide nothing: between fences, or ticks in a line. */
const CODE = /```[^]*?(?:```|$)|``[^\n]*?``|`[^`\n]*`/g;
/** Bars that begin a spoiler: bars with space behind them, or a letter before, stand for something else, or end one. */
const BEGINNING = /(?<![^\s(>"'*_])\|\|(?=[^\s|])/g;

/**
 * Finds the beginning of a spoiler that has no end in `text`; -1 for one that was open before it, null where none is.
 * @param before whether a spoiler is open, and a code block, as the text begins
 */
export function openSpoilerIn(
  text: string,
  before: { isHidden: boolean; isFenced: boolean } = { isHidden: false, isFenced: false },
): number | null {
  const opening = before.isFenced ? FENCE : '';
  // A spoiler may begin right before code, or behind it.
  const words = (opening + text).replaceAll(CODE, (code) => '*'.repeat(code.length)).slice(opening.length);
  let from = 0;
  if (before.isHidden) {
    const end = words.indexOf(BARS);
    if (end === -1) return -1;
    from = end + BARS.length;
  }
  for (const { index } of words.matchAll(BEGINNING)) {
    if (index < from) continue;
    const end = words.indexOf(BARS, index + BARS.length);
    if (end === -1) return index;
    from = end + BARS.length;
  }
  return null;
}

/** Tells whether a spoiler without an end hides something: a paragraph later, its bars were hardly meant to. */
export function isSpoiler(text: string, beginning: number): boolean {
  return !text.includes('\n\n', beginning);
}
