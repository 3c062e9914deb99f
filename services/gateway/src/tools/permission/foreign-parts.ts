import { visibleText } from '@kith/contracts';
import { numberIn, withNumbersApart } from './number-in.js';
import { ownWords } from './own-words.js';
import { bareAddress, isWhole, plainAddress, saidAddresses } from './said-addresses.js';
import { isSameWord, wordsOf } from './words-of.js';

/**
 * Words that a model puts between a person's own, and that say nothing by themselves. None denies, and none is a name;
 * any other word counts, however short: letters spell, and `Al` or `李四` is somebody.
 */
const JOINING = new Set(
  'the of in on at to for by and der die das im am zu le la les de du el en et y'.split(' '),
);
/** Depth to which arguments are looked at; what lies deeper counts as foreign. */
const MAX_DEPTH = 6;
/** Depth to which a schema is looked at: its properties lie at every other level. */
const MAX_SCHEMA_DEPTH = 2 * MAX_DEPTH;

/**
 * Lists the words, numbers and addresses of a call's arguments that its person did not say in this turn: those came from
 * the model, or from something that it read. A number counts as a whole, with its sign, and so does an address: a
 * person's own words make another one in another order. The name of an argument is text like any other where the tool's
 * schema does not declare it.
 */
export function foreignParts(
  given: Readonly<Record<string, unknown>>,
  messages: readonly string[],
  schema: Readonly<Record<string, unknown>>,
): string[] {
  const own = messages.map(ownWords);
  // Whoever types full-width letters means plain ones, too.
  const said = [...own, ...own.map((text) => text.normalize('NFKC'))].map(shown);
  const words = said.flatMap((text) => text.split(/\s+/u)).flatMap(wordsIn);
  const addresses = new Set(said.flatMap(saidAddresses));
  const isOwnWord = (word: string) =>
    words.some((one) => (isNumber(word) ? one === word : isSameWord(one, word)));
  const isOwnAddress = (address: string) => addresses.has(plainAddress(address));
  const declared = new Set(namesIn(schema, 0));
  return leavesOf(given, declared, 0).flatMap((leaf) => {
    if (typeof leaf === 'string') return foreignIn(shown(leaf), isOwnWord, isOwnAddress);
    return isOwnWord(String(leaf)) ? [] : [String(leaf)];
  });
}

function foreignIn(
  text: string,
  isOwnWord: (word: string) => boolean,
  isOwnAddress: (address: string) => boolean,
): string[] {
  const tokens = text.split(/\s+/u);
  const words = tokens.filter((token) => !isWhole(token)).flatMap(wordsIn);
  const foreign = words.filter((word) => !isOwnWord(word));
  // "The" alone may be whom it is sent to.
  const joins = words.some((word) => !JOINING.has(word) && isOwnWord(word));
  return [
    ...tokens.filter((token) => isWhole(token) && !isOwnAddress(bareAddress(token))),
    ...(joins ? foreign.filter((word) => !JOINING.has(word)) : foreign),
  ];
}

/** Makes a text that hides nothing, with each of its numbers in one piece. */
function shown(text: string): string {
  return withNumbersApart(visibleText(text));
}

/** Lists the words of something without white space. Those of a whole have no part of its numbers. */
function wordsIn(token: string): string[] {
  const number = numberIn(token);
  if (number !== null) return [number];
  const words = wordsOf(token);
  return isWhole(token) ? words.filter((word) => !/^\p{N}|\p{N}$/u.test(word)) : words;
}

function isNumber(word: string): boolean {
  return /\p{N}/u.test(word);
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
