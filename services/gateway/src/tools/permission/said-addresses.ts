import { numberIn } from './number-in.js';

/** Marks that join the parts of an address of the web, of mail, or of a path, as URLs and mail programs read them. */
const JOINTS = /[.。@:/\\]/u;
/** Signs that are no part of a word and no plain mark of a sentence: symbols spell, too. */
const SIGNS = /[^\p{L}\p{N}\p{P}\p{Sc}]/u;
/** Digits beside a mark, as in a date: by themselves they are another number. */
const MARKED_DIGITS = /\p{N}[^\p{L}\p{N}]|[^\p{L}\p{N}]\p{N}/u;
/**
 * Marks of a sentence before an address and behind it: `(see https://example.org/news/).` Not those that may be part of
 * one: `_bob@example.org` is somebody else, and `../notes.txt` another file.
 */
const BEFORE = /[\s'"’“”„«»()[\]{}<>…「」（）]|(?![.．])\p{Terminal_Punctuation}/u;
const BEHIND = /[\s'"’“”„«»()[\]{}<>…/「」（）\p{Terminal_Punctuation}]/u;
/** Marks that set words off in pairs, `**bob@example.org**`; one alone may be part of an address. */
const EMPHASIS = '*_~';
/** Pictures in a row, with what colours and joins them. */
const EMOJI = /(?:\p{RI}|\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\ufe0f)?\u200d?)+/gu;
/** Schemes that people leave out. */
const SCHEMES = ['https://', 'http://'];

/** Removes the marks of the sentence before and behind an address. */
export function bareAddress(token: string): string {
  let start = 0;
  let end = token.length;
  while (start < end && BEFORE.test(token.charAt(start))) start += 1;
  while (end > start && BEHIND.test(token.charAt(end - 1))) end -= 1;
  return token.slice(start, end);
}

/** Sets pictures apart from the words beside them, without what only chooses their colours; not from an address. */
export function withEmojiApart(text: string): string {
  return text.replaceAll(/\S+/gu, (token) =>
    JOINTS.test(bareAddress(token.replaceAll(EMOJI, '')))
      ? token
      : token.replaceAll(EMOJI, (emoji) => ` ${emoji.replaceAll('\ufe0f', '')} `),
  );
}

/** Lists what may be meant by an address that somebody wrote: as it is, and without marks that set it off. */
function meantBy(token: string): string[] {
  const bare = bareAddress(token);
  let inner = bare;
  while (inner.length > 2 && EMPHASIS.includes(inner.charAt(0)) && inner.at(-1) === inner[0])
    inner = inner.slice(1, -1);
  return [bare, bareAddress(inner)];
}

/**
 * Tells whether something without white space is compared as a whole: it may lead somewhere (`bob@example.org`,
 * `example.org/news`), or its words do not say all of it (`12:30`, `2026-03-01`, `🇪🇻🇪`).
 */
export function isWhole(token: string): boolean {
  if (numberIn(token) !== null) return false;
  const bare = bareAddress(token);
  // A full-width dot or at sign is one to whoever resolves it, and letters in another style may tell something.
  return [JOINTS, SIGNS, MARKED_DIGITS].some((marks) => marks.test(bare)) || bare !== bare.normalize('NFKC');
}

/** Makes the form in which addresses are compared: whole, but for what makes no other address of it. */
export function plainAddress(bare: string): string {
  const url = bare.includes('://') ? URL.parse(bare) : null;
  return bareAddress(url?.href ?? bare.toLowerCase());
}

/** Lists the addresses in somebody's own words, in their plain form; those of the web with their scheme and without. */
export function saidAddresses(text: string): string[] {
  // Nothing need be between a word and the address behind it where a language has no spaces.
  const tokens = [...text.split(/\s+/u), ...text.split(/\s+|(?=https?:\/\/)/iu)].flatMap(meantBy);
  return tokens.filter(isWhole).flatMap((token) => {
    const scheme = SCHEMES.find((one) => token.toLowerCase().startsWith(one));
    if (scheme !== undefined) return [token, token.slice(scheme.length)].map(plainAddress);
    return [token, ...SCHEMES.map((one) => one + token)].map(plainAddress);
  });
}
