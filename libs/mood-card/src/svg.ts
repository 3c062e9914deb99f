import { type Point, short } from './geometry.js';

/** Attributes of an element; what is undefined is left out. */
type Attributes = Readonly<Record<string, string | number | undefined>>;

/** One element. Values are escaped; children are SVG already. */
export function element(name: string, attributes: Attributes, ...children: string[]): string {
  const list = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? short(value) : escaped(`${value}`)}"`)
    .join('');
  return children.length === 0 ? `<${name}${list}/>` : `<${name}${list}>${children.join('\n')}</${name}>`;
}

/** A line of text in one of the card's colours that starts at, ends at or is centred on `x`. */
export function text(
  { x, y }: Point,
  words: string,
  [colour, size]: readonly [keyof typeof COLOURS, number],
  attributes: Attributes = {},
): string {
  return element('text', { x, y, fill: COLOURS[colour], 'font-size': size, ...attributes }, escaped(words));
}

/** Escapes a text for an element or an attribute. Characters that XML does not allow are dropped. */
function escaped(words: string): string {
  return words
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/**
 * The card has a background of its own, so it reads the same on light and dark screens. Lines and words have a
 * contrast of at least 4.5 to 1 with it; the grid, which is only a help for the eye, has less.
 */
export const COLOURS = {
  card: '#1d1f2b',
  edge: '#3a3e52',
  grid: '#454a61',
  text: '#f2f0ea',
  muted: '#b9bccb',
  faint: '#9094a8',
  /** Pleasure, arousal, dominance: told apart by people who see few colours, too. */
  p: '#ffb454',
  a: '#f2799a',
  d: '#6cb6ff',
  bond: '#8fd6a8',
} as const;

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
