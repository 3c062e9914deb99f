import { wordSet } from './word-set.js';

/** Words that deny what they stand before. */
const NEGATIONS = wordSet('not no never hardly barely without nothing neither nor nobody');

/** Words with a meaning of their own that a "not" reaches over: "not a very good friend". */
const MAX_WORDS_OVER = 2;

/** Words without a meaning of their own: a negation reaches over any number of them. */
const EMPTY =
  wordSet(`a an the that this it is are was were am be been being i we you he she they do does did have has had get got getting
  feel feels felt seem seems think really very so much too all any even ever to of going make makes made my your our`);

/**
 * Negations that deny nothing, with the two words before them: "I can't believe it", "I've never been so happy", "not only
 * kind", "can't help laughing", "won't stop shaking", "can't wait to see you", "not gonna lie". Also the "no" that answers:
 * "no I love it".
 */
const SAYS_SO = new RegExp(
  [
    String.raw`^(?:\S+ ){0,2}never (?:been|felt|looked|seemed) (?:so|this|more)\b`,
    String.raw`\b(?:(?:can|could|you will|you would) not believe\b|not (?:believe|know|imagine) (?:how(?! to\b)|what)\b)`,
    String.raw`\b(?:can|could) not help (?:but|\w+ing)\b`,
    String.raw`\bnot (?:only|just|merely|stop|wait)\b`,
    String.raw`\bnot (?:going to |even )?(?:lie|lying|kidding|joking)\b`,
    String.raw`\bno (?:doubt|(?:i|you|he|she|it|we|they|that|this)(?! (?:never|hardly|barely|without)\b)\b)`,
  ].join('|'),
  'u',
);

/** Tells whether a word denies something. Words are as `readClauses` gives them: "don't" is "do" and "not". */
export function isNegation(word: string): boolean {
  return NEGATIONS.has(word);
}

/** Tells whether the word at a place of a clause is denied: "I would not say that I like it". */
export function isNegated(words: readonly string[], at: number): boolean {
  let met = 0;
  for (let n = at - 1; n >= 0 && met <= MAX_WORDS_OVER; n -= 1) {
    const word = words[n] ?? '';
    if (NEGATIONS.has(word)) return !SAYS_SO.test(words.slice(Math.max(0, n - 2), n + 4).join(' '));
    if (!EMPTY.has(word)) met += 1;
  }
  return false;
}
