import type { Party } from './read-roles.js';
import { PEOPLE } from './rules-lexicon.js';

const ME = new Set('me us my our mine ours myself ourselves'.split(' '));
const YOU = new Set('you your yours yourself'.split(' '));
const THEM = new Set('him her them his their someone somebody everyone everybody'.split(' '));
/** An object stands this close behind its verb: "gave my little brother". */
const MAX_TO_OBJECT = 4;

/** Finds whom a deed is done to: the speaker's people count as the speaker, unless the speaker does it. */
export function objectOf(
  words: readonly string[],
  from: number,
  by: Party,
): 'speaker' | 'companion' | 'somebody' | null {
  const last = Math.min(words.length, from + MAX_TO_OBJECT);
  for (let at = from; at < last; at += 1) {
    const word = words[at] ?? '';
    const isTheirs = words.slice(at + 1, at + 3).some((next) => PEOPLE.has(next.replace(/'?s$/u, '')));
    if (by === 'speaker' && ME.has(word) && isTheirs) return 'somebody';
    if (ME.has(word)) return 'speaker';
    if (YOU.has(word)) return 'companion';
    if (THEM.has(word) || PEOPLE.has(word)) return 'somebody';
  }
  return null;
}
