import { BOOSTERS, DAMPERS } from './rules-lexicon.js';

/** A "very" reaches this many words ahead: "really not very good". */
const REACH = 3;

/** "Very good" is a third stronger than "good", "rather good" not much more than half of it: tuned on the tuning lines. */
const BOOST = 1.35;
const DAMP = 0.6;

/** Tells whether something only might be: "I would be happy to". */
export function isUnreal(words: readonly string[], at: number): boolean {
  return words.slice(0, at).includes('would');
}

/** Weighs the word at a place by the words of degree before it. */
export function degreeAt(words: readonly string[], at: number): number {
  const before = words.slice(Math.max(0, at - REACH), at);
  const boost = before.some((word) => BOOSTERS.has(word)) ? BOOST : 1;
  const damp = before.some((word) => DAMPERS.has(word)) ? DAMP : 1;
  return boost * damp;
}
