import type { Roles } from './read-roles.js';
import { degreeAt } from './scope-words.js';
import type { CueKind } from './rules-lexicon.js';
import { objectOf } from './object-of.js';

/** Reads a liking or dislike of somebody or something. */
export function readAttitude(
  wordClass: 'fondness' | 'aversion' | 'loathing',
  denied: boolean,
  words: readonly string[],
  at: number,
  length: number,
  { subject }: Roles,
): CueKind | null {
  const isFond = (wordClass === 'fondness') !== denied;
  const news = isFond ? 'good-news' : 'bad-news';
  const object = objectOf(words, at + length, subject);
  if (subject === 'speaker' || subject === 'nobody') {
    if (object === 'companion') return isFond ? 'affection' : 'insult';
    if (object === 'speaker' && words.includes('myself', at + length)) return news;
    if (subject === 'nobody') return null;
    // "I absolutely hate it" is more than dislike.
    const isLoathing = wordClass === 'loathing' || (wordClass === 'aversion' && degreeAt(words, at) > 1);
    if (isLoathing && !denied) return 'detests-thing';
    return isFond ? 'likes-thing' : 'dislikes-thing';
  }
  if (object === 'companion' && subject !== 'companion') return isFond ? 'treat' : null;
  return object === 'speaker' && subject === 'close' ? news : null;
}
