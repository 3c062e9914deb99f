import type { Roles } from './read-roles.js';
import { degreeAt } from './read-scope.js';
import type { CueKind } from './rules-lexicon.js';
import type { WordClass } from './class-words.js';
import { objectOf } from './object-of.js';
import { readFortune } from './read-fortune.js';

/** Tells whether an aversion is stressed: "I absolutely hate it". */
export function isLoathing(wordClass: WordClass, words: readonly string[], at: number): boolean {
  return wordClass === 'aversion' && degreeAt(words, at) > 1;
}

/** Reads a liking or dislike of somebody or something. */
export function readAttitude(
  wordClass: 'fondness' | 'aversion' | 'loathing',
  denied: boolean,
  words: readonly string[],
  after: number,
  { subject }: Roles,
): CueKind | null {
  const isFond = (wordClass === 'fondness') !== denied;
  const object = objectOf(words, after, subject);
  if (subject === 'speaker' || subject === 'nobody') {
    if (object === 'companion') return isFond ? 'affection' : 'insult';
    if (object === 'speaker' && words.slice(after).includes('myself'))
      return isFond ? 'good-news' : 'bad-news';
    if (subject === 'nobody') return null;
    if (wordClass === 'loathing' && !denied) return 'detests-thing';
    return isFond ? 'likes-thing' : 'dislikes-thing';
  }
  if (object === 'companion' && subject !== 'companion') return isFond ? 'treat' : null;
  return object === 'speaker' && subject === 'close' ? readFortune(isFond, false, NOW, 'speaker') : null;
}

const NOW: Roles = { subject: 'speaker', predicate: 0, ahead: false };
