/** Words that deny what they stand before. */
const NEGATIONS = new Set('not no never hardly barely without nothing neither nor nobody'.split(' '));

/** Words with a meaning of their own that a "not" reaches over: "not a very good friend". */
const MAX_WORDS_OVER = 2;

/** Words without a meaning of their own: a negation reaches over any number of them. */
const EMPTY = new Set(
  `a an the that this it is are was were am be been being i we you he she they do does did have has had get got getting
  feel feels felt seem seems think really very so much too all any even ever to of going make makes made my your our`.split(
    /\s+/u,
  ),
);

/** Beginning of what says that it is so, for all its negation: "I can't believe it", "I've never been so happy". */
const SAYS_SO = /^(?:\w+ believe\b|never (?:been|felt|looked|seemed) (?:so|this|more)\b)/u;

/** Tells whether a word denies something. Words are as `readClauses` gives them: "don't" is "do" and "not". */
export function isNegation(word: string): boolean {
  return NEGATIONS.has(word);
}

/** Tells whether what stands at a place of a clause is denied: "I would not say that I like it". */
export function isNegated(words: readonly string[], at: number): boolean {
  let met = 0;
  for (let n = at - 1; n >= 0 && met <= MAX_WORDS_OVER; n -= 1) {
    const word = words[n] ?? '';
    if (NEGATIONS.has(word)) return !SAYS_SO.test(words.slice(n, n + 3).join(' '));
    if (!EMPTY.has(word)) met += 1;
  }
  return false;
}
