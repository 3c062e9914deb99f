/* oxlint-disable no-control-regex -- control characters are what this file is about */
import { randomUUID } from 'node:crypto';
import { oneLine } from '@kith/contracts';

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Turns the direction of what follows, so that a text reads as another one. */
const OVERRIDE = /[\u202d\u202e]/g;
/** Escape of this program's own colours until they are written. No text of others holds it: nobody can guess it. */
const OWN_ESCAPE = `\u001b${randomUUID()}`;
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
/** Signs that take no column, such as marks of direction. A soft hyphen by itself takes one. */
const UNSEEN = /^(?!\u00ad)\p{Default_Ignorable_Code_Point}/u;
/** Voicing marks of half-width kana, which take a column of their own. */
const VOICING = /[\uff9e\uff9f]/g;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Removes control characters except line breaks and tabs, so that what people say can't steer the terminal. */
export function printable(text: string): string {
  return text.replaceAll(CONTROL, '').replaceAll(OVERRIDE, '');
}

/** Colours a text, by one of the codes for it. `printablePainted` lets this colour pass, and no other. */
export function paint(code: number, text: string): string {
  return `${OWN_ESCAPE}[${code}m${text}${OWN_ESCAPE}[0m`;
}

/** Makes a text printable that may hold colours of `paint`. */
export function printablePainted(text: string): string {
  return text.split(OWN_ESCAPE).map(printable).join('\u001b');
}

/** Makes a text printable on one line. */
export function printableLine(text: string): string {
  return oneLine(printable(text));
}

/** Counts the terminal columns that a text takes. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text.replaceAll(VOICING, 'x')))
    if (!UNSEEN.test(segment)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** Shortens a text to so many columns, with an ellipsis where something is missing. */
export function fitText(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let fitted = '';
  let width = 1; // the ellipsis
  for (const { segment } of graphemes.segment(text)) {
    width += displayWidth(segment);
    if (width > columns) break;
    fitted += segment;
  }
  return `${fitted.trimEnd()}…`;
}
