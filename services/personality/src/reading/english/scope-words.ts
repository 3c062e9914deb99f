import { BOOSTERS, DAMPERS } from './rules-lexicon.js';

/** A "very" reaches this many words ahead: "really not very good". */
const REACH = 3;

/** "Very good" is a third stronger than "good", "rather good" not much more than half of it: tuned on the tuning lines. */
const BOOST = 1.35;
const DAMP = 0.6;

/** Words before a "used to" that tells what somebody is accustomed to: "I am so used to losing". */
const ACCUSTOMED = new Set(
  'am is are was were be been being get gets got getting not so just still really'.split(' '),
);

/** Tells whether something only might be, or is no longer so: "I would be happy to", "I used to hate you". */
export function isUnreal(words: readonly string[], at: number): boolean {
  const before = words.slice(0, at);
  const used = before.lastIndexOf('used');
  const isPast = used !== -1 && before[used + 1] === 'to' && !ACCUSTOMED.has(before[used - 1] ?? '');
  return isPast || before.includes('would');
}

/** Weighs the word at a place by the words of degree before it. */
export function degreeAt(words: readonly string[], at: number): number {
  const before = words.slice(Math.max(0, at - REACH), at);
  const boost = before.some((word) => BOOSTERS.has(word)) ? BOOST : 1;
  const damp = before.some((word) => DAMPERS.has(word)) ? DAMP : 1;
  return boost * damp;
}
