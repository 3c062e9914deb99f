/**
 * Makes a text that every store can hold: half a surrogate pair, which a cut can leave behind, becomes U+FFFD, and NUL,
 * which Postgres refuses, is left out.
 */
export function storableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '') : whole;
}

/** Code units of the longest sign that is kept whole: a family of emoji has thirty, and no end of marks may follow a letter. */
const MAX_SIGN = 64;
let signs: Intl.Segmenter | undefined;

/**
 * Cuts a text to at most `max` characters, and never within what is seen as one: a flag, a family of emoji, a letter with
 * its accent. One that would leave nothing is cut, but not within a surrogate pair.
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  // A sign never goes on with one of these.
  if (/[ -~]/.test(text.charAt(max))) return text.slice(0, max);
  signs ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  const start = signs.segment(text.slice(0, max + MAX_SIGN)).containing(max)?.index ?? 0;
  if (start > 0 && start >= max - MAX_SIGN) return text.slice(0, start);
  const cut = text.slice(0, max);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/**
 * Shortens a text to at most `max` characters with an ellipsis, at the end of a word unless that loses more than half of
 * it, and never within a character.
 */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = cutText(text, max - 1);
  const end = cut.lastIndexOf(' ');
  return `${(end > max / 2 ? cut.slice(0, end) : cut).trimEnd()}…`;
}

/** Puts a text on one line. NEL (U+0085) breaks a line, though it is no white space of JavaScript's. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\u0085]+/g, ' ').trim();
}

/** Levels of a JSON value: no call or form has ten, and some thousands end the stack of whatever walks them. */
const MAX_LEVELS = 100;

/**
 * Makes every text in a JSON value storable, the names of fields included, and null of what lies deeper than a hundred
 * levels. What needs no change is not copied.
 */
export function storable<T>(value: T): T {
  return convert(value, MAX_LEVELS) as T;
}

function convert(value: unknown, levels: number): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return null;
  if (Array.isArray(value)) {
    const parts = value.map((part) => convert(part, levels - 1));
    return parts.some((part, n) => part !== value[n]) ? parts : value;
  }
  const after = Object.entries(value as Record<string, unknown>).map(
    ([name, part]) => [storableText(name), convert(part, levels - 1)] as const,
  );
  const before = value as Record<string, unknown>;
  const isChanged = after.some(([name, part]) => part !== before[name] || !Object.hasOwn(before, name));
  return isChanged ? Object.fromEntries(after) : value;
}
