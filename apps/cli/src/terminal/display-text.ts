/* oxlint-disable no-control-regex -- control characters are what this file is about */
import { oneLine } from '@kith/contracts';

const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Turns the direction of what follows, so that a text reads as another one. */
const OVERRIDE = /[\u202d\u202e]/g;
/** Escapes that this program colours by; any other is somebody else's. */
const OWN_PAINT = /(\u001b\[(?:0|1|2|31|32)m)/;
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Removes control characters except line breaks and tabs, so that what people say can't steer the terminal. */
export function printable(text: string): string {
  return text.replaceAll(CONTROL, '').replaceAll(OVERRIDE, '');
}

/** Makes a text printable that this program has coloured. */
export function printablePainted(text: string): string {
  return text
    .split(OWN_PAINT)
    .map((part, place) => (place % 2 === 1 ? part : printable(part)))
    .join('');
}

/** Makes a text printable on one line. */
export function printableLine(text: string): string {
  return oneLine(printable(text));
}

/** Counts the terminal columns that a text takes. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
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
