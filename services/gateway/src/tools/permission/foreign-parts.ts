import { visibleText } from '@kith/contracts';
import { numberIn, withNumbersApart } from './number-in.js';
import { isSameWord, ownWords, wordsOf } from './own-words.js';
import { bareAddress, isWhole, plainAddress, saidAddresses, withEmojiApart } from './said-addresses.js';

/**
 * Words that a model puts between a person's own, and that say nothing by themselves. None denies, and none is a name;
 * any other word counts, however short: letters spell, and `Al` or `李四` is somebody.
 */
const JOINING = new Set(
  'the of in on at to for by and der die das im am zu le la les de du el en et y'.split(' '),
);
/**
 * Characters of all arguments: of one message 600 are somebody's own words, and who sends many hardly has them all sent
 * several times. More would take seconds to look at.
 */
const MAX_CHARACTERS = 20_000;
/** Letters in another width, which are the same ones. Of other forms some make another number: `10²`. */
const FULL_WIDTH = /[\uff01-\uff5e]/gu;
/** Marks that say something without words: a currency, or more than end a sentence. */
const TELLING_MARKS = /[\p{Sc}%]|.{3}/u;
/** White space that says something: neither a space nor the end of a line or a paragraph. */
const TELLING_SPACE = /[^\S \n]|\s{3}/u;
/** Depth to which arguments are looked at; what lies deeper counts as foreign. */
const MAX_DEPTH = 6;
/** Depth to which a schema is looked at: its properties lie at every other level. */
const MAX_SCHEMA_DEPTH = 2 * MAX_DEPTH;

/** Tells of each kind of part whether the person said it. */
type OwnPartTests = Record<'word' | 'address' | 'marks' | 'space', (part: string) => boolean>;

/**
 * Lists the words, numbers and addresses of a call's arguments that its person did not say in this turn: those came from
 * the model, or from something that it read. A number counts as a whole, with its signs, and so does an address: a
 * person's own words make another one in another order. The name of an argument is text like any other where the tool's
 * schema does not declare it.
 */
export function foreignParts(
  given: Readonly<Record<string, unknown>>,
  messages: readonly string[],
  schema: Readonly<Record<string, unknown>>,
): string[] {
  const own = messages.map(ownWords);
  const said = [...own, ...own.map(inPlainWidth)];
  const tokens = new Set(said.flatMap((text) => shown(text).split(/\s+/u)));
  const numbers = [...tokens].map(numberIn).filter((number) => number !== null);
  const words = [...new Set([...tokens].flatMap(wordsIn))];
  const exact = new Set([...words, ...numbers.map(({ plain }) => plain)]);
  const addresses = new Set(said.map(shown).flatMap(saidAddresses));
  const spaces = new Set(said.flatMap((text) => text.match(/\s+/gu) ?? []));
  const theirs: OwnPartTests = {
    word: (word) => exact.has(word) || (!/\p{N}/u.test(word) && words.some((one) => isSameWord(one, word))),
    address: (address) => addresses.has(plainAddress(address)),
    marks: (token) => tokens.has(token),
    space: (space) => spaces.has(space),
  };
  const leaves = leavesOf(given, new Set(namesIn(schema, 0)), 0);
  const all = leaves.join(' ');
  if (all.length > MAX_CHARACTERS) return [all];
  return leaves.flatMap((leaf) => {
    if (typeof leaf === 'string') return foreignIn(leaf, theirs);
    const number = String(leaf);
    // `3.141` is no number where it may be a thousand: it is theirs as they wrote it.
    return theirs.word(number) || theirs.address(number) ? [] : [number];
  });
}

/** Makes the plain form of what somebody typed: whoever types full-width letters means plain ones, too. */
function inPlainWidth(text: string): string {
  return text.normalize('NFC').replaceAll(FULL_WIDTH, (letter) => letter.normalize('NFKC'));
}

function foreignIn(text: string, theirs: OwnPartTests): string[] {
  const tokens = [...new Set(shown(text).split(/\s+/u))];
  const words = [...new Set(tokens.filter((token) => !isWhole(token)).flatMap(wordsIn))];
  const foreign = words.filter((word) => !theirs.word(word));
  const missing = new Set(foreign);
  // "The" alone may be whom it is sent to.
  const joins = words.some((word) => !JOINING.has(word) && !missing.has(word));
  return [
    ...tokens.filter((token) => isWhole(token) && !theirs.address(bareAddress(token))),
    ...tokens.filter((token) => isTellingMarks(token) && !theirs.marks(token)),
    ...(text.match(/\s+/gu) ?? []).filter((space) => TELLING_SPACE.test(space) && !theirs.space(space)),
    ...(joins ? foreign.filter((word) => !JOINING.has(word)) : foreign),
  ];
}

/** Makes a text that hides nothing, with each of its numbers in one piece. */
function shown(text: string): string {
  return withNumbersApart(visibleText(withEmojiApart(text)));
}

/** Lists the words of something without white space. Those of a whole have no part of its numbers. */
function wordsIn(token: string): string[] {
  const number = numberIn(token);
  if (number !== null) return [number.signed];
  const words = wordsOf(token);
  return isWhole(token) ? words.filter((word) => !/^\p{N}|\p{N}$/u.test(word)) : words;
}

function isTellingMarks(token: string): boolean {
  return TELLING_MARKS.test(token) && !/[\p{L}\p{N}]/u.test(token);
}

/** Lists what arguments say. A yes or no says its name: `everybody: true`. */
function leavesOf(
  given: unknown,
  declared: ReadonlySet<string>,
  depth: number,
  name = '',
): (string | number)[] {
  if (given === null || given === undefined) return [];
  if (typeof given === 'boolean') return [name];
  if (typeof given === 'string' || typeof given === 'number') return [given];
  if (typeof given !== 'object' || depth >= MAX_DEPTH) return [JSON.stringify(given)];
  if (Array.isArray(given)) return given.flatMap((one) => leavesOf(one, declared, depth + 1, name));
  return Object.entries(given).flatMap(([key, value]) => [
    ...(declared.has(key) ? [] : [key]),
    ...leavesOf(value, declared, depth + 1, key),
  ]);
}

/** Lists the names of arguments that a JSON schema declares, at whatever depth. */
function namesIn(schema: unknown, depth: number): string[] {
  if (typeof schema !== 'object' || schema === null || depth > MAX_SCHEMA_DEPTH) return [];
  return Object.entries(schema as Record<string, unknown>).flatMap(([key, inner]) => [
    ...(key === 'properties' && typeof inner === 'object' && inner !== null ? Object.keys(inner) : []),
    ...namesIn(inner, depth + 1),
  ]);
}
