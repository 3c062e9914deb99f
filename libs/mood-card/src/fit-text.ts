/** Mean advance of DejaVu Sans, in parts of the font size; capitals and bold are wider. */
const ADVANCE = 0.62;
const BOLD = 1.12;

/** Estimates the width of a text, near enough to keep labels apart. */
export function widthOf(words: string, size: number, isBold = false): number {
  return [...words].length * size * ADVANCE * (isBold ? BOLD : 1);
}

/** Cuts a text to a width. */
export function fitText(words: string, width: number, size: number, isBold = false): string {
  if (widthOf(words, size, isBold) <= width) return words;
  const room = Math.floor(width / widthOf('x', size, isBold));
  return `${[...words]
    .slice(0, Math.max(0, room - 1))
    .join('')
    .trimEnd()}…`;
}

/** The scripts the card's font can write. A name in another would come out as boxes. */
const WRITTEN =
  /[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Nd}\p{P}\p{Sc}\p{Zs}\p{M}]/gu;

/** A name on one line, of what the font can write; null when nothing of it can be. */
export function writable(name: string): string | null {
  const line = name.replaceAll(/\s+/gu, ' ').replaceAll(WRITTEN, '').replaceAll(/ {2,}/g, ' ').trim();
  return /[\p{L}\p{N}]/u.test(line) ? line : null;
}
