import { oneLine } from '@kith/contracts';
import { seenAs } from './look-alikes.js';

/** Names of our blocks. */
const BLOCKS =
  'person earlier memories core tasks wishes unsettled jokes lore quoted mood outreach heartbeat asked untrusted'.split(
    ' ',
  );
const LONGEST_NAME = Math.max(...BLOCKS.map(({ length }) => length));

/** Whatever a line makes a blank of (`oneLine`), and the blank of Braille. */
const BLANK = String.raw`[\s\u0085\u2800]`;
/** Signs that a reader takes for the beginning of a tag. */
const BRACKETS = '<＜﹤˂ᐸ';
/** One of them, before its blanks and its slash. */
const OPENING = String.raw`[${BRACKETS}](?=${BLANK}*(?:[/／⁄∕⧸]${BLANK}*)?`;
const TAG = new RegExp(String.raw`${OPENING}(?:${BLOCKS.join('|')})\b)`, 'gi');
/** Beginning of what may look like a tag: a sign that is not plain stands in the name, or before it. */
const LOOK_ALIKE = new RegExp(
  String.raw`${OPENING}\w{0,${LONGEST_NAME}}(?:\ufeff|(?!${BLANK})[^ -~${BRACKETS}]))`,
  'g',
);
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?![\s\u0085])\p{Cc}/u;
const NAMELESS = new RegExp(String.raw`^(?:${BLANK}|[/／⁄∕⧸])$`);
/** Letters of a name; none where a sign is but a mark at a letter. */
const OF_NAME = /^\w*$/;

/** Keeps what people write from opening or closing one of our blocks, also by signs that only look like those of a tag. */
export function neutral(text: string): string {
  return text
    .replaceAll(TAG, '‹')
    .replaceAll(LOOK_ALIKE, (bracket, at: number) => (looksLikeTag(text, at + 1) ? '‹' : bracket));
}

/** Tells whether whatever follows a bracket looks like the name of a block. */
function looksLikeTag(text: string, from: number): boolean {
  let name = '';
  for (let at = from; at < text.length && name.length <= LONGEST_NAME;) {
    const sign = String.fromCodePoint(text.codePointAt(at) ?? 0);
    at += sign.length;
    if (UNSEEN.test(sign)) {
      if (BLOCKS.includes(name)) return true;
    } else if (name !== '' || !NAMELESS.test(sign)) {
      const letters = sign <= '~' ? sign.toLowerCase() : seenAs(sign);
      if (!OF_NAME.test(letters)) break;
      name += letters;
    }
  }
  return BLOCKS.includes(name);
}

/**
 * Puts lines between the tags of a block, and keeps them from closing it, also where only together they would; nothing
 * where there are none.
 */
export function dataBlock(name: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [`<${name}>`, neutral(lines.join('\n')), `</${name}>`].join('\n');
}

/**
 * Words a line of a channel: its speaker's name and the text. The text's further lines are indented, so that none of them
 * can pass for a line of somebody else's.
 */
export function channelLine(name: string, text: string): string {
  return `${plainName(name)}: ${indented(neutral(text))}`;
}

/** Indents all lines of a text but the first, so that none can pass for a line of the prompt's own. */
export function indented(text: string): string {
  return text.replaceAll(/[\n\v\f\r\u0085\u2028\u2029]+/g, '$&  ');
}

/** Takes that indentation from what a model repeats of such a text: from none that has it on some lines alone, as lists do. */
export function unindented(text: string): string {
  if (/[\n\v\f\r\u0085\u2028\u2029](?! {2}|[\n\v\f\r\u0085\u2028\u2029]|$)/.test(text)) return text;
  return text.replaceAll(/(^|[\n\v\f\r\u0085\u2028\u2029]) {2}/g, '$1');
}

/**
 * Signs of markup, and those that look like one: a colon would end the name before its line. Syllables of Inuktitut that look
 * like brackets are letters of names there.
 */
const MARKUP = /[<>:`＜＞﹤﹥˂˃：﹕︓꞉∶ː˸։׃]/g;

/** Makes a display name, which its owner chose, one short line without markup. */
export function plainName(name: string): string {
  return neutral(oneLine(name).replaceAll(MARKUP, '').slice(0, 40)) || 'someone';
}
