import type { Clause } from '@kith/reading';
import { PEOPLE } from './rules-lexicon.js';

/** An order that is told of: "I told him to go to hell", "I was told to shut up". */
const ORDERED =
  /(?<!\p{L})(?:(?:tell|tells|told|telling|ask|asked|order|ordered|beg|begged) (?!you |u )(?:\p{L}+ ){1,3}?|(?:was|were|been|being|got|am) told )to (?:please |just )?(?:go|shut|get|fuck|piss|screw|kill|leave|stop)(?!\p{L})/u;
/** A dislike that the companion supposes, or that is out of the question: "you think I hate you", "how could I hate you". */
const SUPPOSED =
  /(?<!\p{L})(?:you (?:\p{L}+ )?(?:think|thought|believe|believed|said|say|claim|claimed)(?: that)? i|(?:how|who|why) (?:could|can|would|should)(?: i| anyone| anybody)?) (?:\p{L}+ )?(?:hate|despise|loathe|dislike)d?(?!\p{L})/u;
/** Beginning of words to another: "I told my boss: …". */
const I_TOLD =
  /^(?:\p{L}+ ){0,3}?i (?:\p{L}+ )?(?:told|texted|wrote(?: to)?|said to|yelled at|shouted at|screamed at) (?:\p{L}+ ){0,2}?(?<who>\p{L}+)$/u;
/** Beginning of what was said, which calls nobody names: "I told my boss, you idiot" calls the companion one. */
const SPEECH =
  /^(?:you (?:are|were|can|do|have|should|never|always|will|suck)|fuck|screw|shut|go|get|i)(?!\p{L})/u;

/** Tells whether hurtful words of a clause are none of the speaker's to the companion, whatever they think of it. Pure. */
export function isSaidElsewhere({ words, sentence }: Clause, before: Clause | undefined): boolean {
  const text = words.join(' ');
  if (ORDERED.test(text) || SUPPOSED.test(text)) return true;
  if (before?.sentence !== sentence || !SPEECH.test(text)) return false;
  return PEOPLE.has(I_TOLD.exec(before.words.join(' '))?.groups?.['who'] ?? '');
}
