import { BOOSTERS, DAMPERS, NEGATIONS } from './rules-lexicon.js';

/** A "very" reaches this many words ahead. */
const REACH = 3;
/** A "not" reaches over this many words with a meaning of their own. */
const NEGATION_REACH = 2;

const BOOST = 1.35;
const DAMP = 0.6;

/** A negation reaches over these without weakening. */
const EMPTY = new Set(
  `a an the that this it is are was were am be been being i we you he she they do does did have has had get got getting
  feel feels felt seem seems think really very so much too all any even ever to of going make makes made my your our`.split(
    /\s+/u,
  ),
);

/** Is what stands at a place denied? */
export function isNegated(words: readonly string[], at: number): boolean {
  let met = 0;
  for (let n = at - 1; n >= 0 && met <= NEGATION_REACH; n -= 1) {
    const word = words[n] ?? '';
    // "I can't believe it" says that it is so.
    if (NEGATIONS.has(word)) return words[n + 1] !== 'believe';
    if (!EMPTY.has(word)) met += 1;
  }
  return false;
}

/** Is it not so, but only might be: "I would be happy to"? */
export function isUnreal(words: readonly string[], at: number): boolean {
  return words.slice(0, at).includes('would');
}

/** How much more or less is meant by what stands at a place than by the words alone. */
export function degreeAt(words: readonly string[], at: number): number {
  const before = words.slice(Math.max(0, at - REACH), at);
  const boost = before.some((word) => BOOSTERS.has(word)) ? BOOST : 1;
  const damp = before.some((word) => DAMPERS.has(word)) ? DAMP : 1;
  return boost * damp;
}
