import { ownWords } from './own-words.js';
import { isSameWord, wordsOf } from './words-of.js';

/** Letters below which a word carries nothing: `to`, `on`. Numbers always do. */
const MIN_LETTERS = 3;
/** Depth to which arguments are looked at; what lies deeper counts as foreign. */
const MAX_DEPTH = 6;

/**
 * Lists the words and numbers of a call's arguments that its person did not say in this turn: those came from the
 * model, or from something that it read.
 */
export function foreignParts(given: unknown, messages: readonly string[]): string[] {
  const own = messages.flatMap((message) => wordsOf(ownWords(message)));
  const isOwn = (word: string) =>
    own.some((said) => (isNumber(word) ? said === word : isSameWord(said, word)));
  return [...new Set(leavesOf(given, 0).flatMap(wordsOf))].filter(
    (word) => (isNumber(word) || word.length >= MIN_LETTERS) && !isOwn(word),
  );
}

function isNumber(word: string): boolean {
  return /\p{N}/u.test(word);
}

/** Lists what arguments say. A yes or no says its name: `everybody: true`. */
function leavesOf(given: unknown, depth: number, name = ''): string[] {
  if (given === null || given === undefined) return [];
  if (typeof given === 'boolean') return [name];
  if (typeof given === 'string') return [given];
  if (typeof given !== 'object' || depth >= MAX_DEPTH) return [JSON.stringify(given)];
  return Object.entries(given).flatMap(([key, value]) => leavesOf(value, depth + 1, key));
}
