import { BOOSTERS, DAMPERS } from './rules-lexicon.js';

/** A "very" reaches this many words ahead: "really not very good". */
const REACH = 3;

/** "Very good" is a third stronger than "good", "rather good" not much more than half of it: tuned on the tuning lines. */
const BOOST = 1.35;
const DAMP = 0.6;

/**
 * Words before what only might be, is no more, or is asked of somebody; also before somebody's opinion of themselves: "you
 * think you're so smart".
 */
const UNREAL =
  /\b(?:would|could (?:be|have)|(?<!(?:am|is|are|was|get|got|getting) )used to|you (?:really )?think you|(?:told|asked|want|wanted|need|needed) (?:you|me|him|her|them|us) to(?! (?:know|see|hear|understand|remember))|not want to)\b/u;

/** Tells whether something only might be: "I would be happy to". */
export function isUnreal(words: readonly string[], at: number): boolean {
  return UNREAL.test(words.slice(0, at).join(' '));
}

/** Weighs the word at a place by the words of degree before it. */
export function degreeAt(words: readonly string[], at: number): number {
  const before = words.slice(Math.max(0, at - REACH), at);
  const boost = before.some((word) => BOOSTERS.has(word)) ? BOOST : 1;
  const damp = before.some((word) => DAMPERS.has(word)) ? DAMP : 1;
  return boost * damp;
}
