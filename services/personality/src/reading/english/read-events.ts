import { type Clause, isNegated } from '@kith/reading';
import type { Roles } from './read-roles.js';
import { degreeAt, isUnreal } from './scope-words.js';
import type { CueKind } from './rules-lexicon.js';
import { classesAt } from './word-classes.js';
import type { WordClass } from './class-words.js';
import type { Hit } from './hit.js';
import { objectOf } from './object-of.js';
import { readFortune } from './read-fortune.js';
import { readDeed } from './read-deed.js';
import { readAttitude } from './read-attitude.js';

/** A verb's class says what was done, not how it is felt: it counts less than an outright phrase. */
const BY_CLASS = 0.6;
/** Likes and dislikes said outright count in full: nothing is inferred. */
const OUTRIGHT: ReadonlySet<CueKind> = new Set([
  'likes-thing',
  'dislikes-thing',
  'detests-thing',
  'affection',
  'insult',
]);
const OWNING = new Set(
  'have has had having got get gets getting receive received land landed win won find found buy bought earn earned'.split(
    ' ',
  ),
);

/**
 * Reads what happens to whom from the classes of verbs and nouns, whatever their phrasing: who does it, who
 * suffers it, whether it is denied and whether it is still to come.
 */
export function readEvents({ words, asks }: Clause, roles: Roles, taken: ReadonlySet<number>): Hit[] {
  if (asks && !roles.ahead) return [];
  const hits = words.flatMap((_, at): Hit[] => {
    if (taken.has(at) || isUnreal(words, at)) return [];
    for (const { wordClass, length } of classesAt(words, at)) {
      const kind = kindOf(wordClass, words, at, length, roles);
      if (kind) return [{ kind, strength: OUTRIGHT.has(kind) ? 1 : BY_CLASS * degreeAt(words, at) }];
    }
    return [];
  });
  // What the deed did to others is part of it: "I mocked him until he cried".
  const deeds = hits.filter(({ kind }) => kind === 'unkind-act' || kind === 'kind-act');
  return deeds.length > 0 ? deeds : hits;
}

function kindOf(
  wordClass: WordClass,
  words: readonly string[],
  at: number,
  length: number,
  roles: Roles,
): CueKind | null {
  const denied = isNegated(words, at);
  const { subject } = roles;
  switch (wordClass) {
    case 'gain':
      return subject === 'companion' ? null : readFortune(true, denied, roles, subject);
    case 'loss':
      if (subject === 'companion') return denied ? null : 'failed-deed';
      return readFortune(false, denied, roles, subject);
    case 'fortune':
      return words.slice(0, at).some((word) => OWNING.has(word))
        ? readFortune(true, denied, roles, subject)
        : null;
    case 'misfortune':
      return readFortune(false, denied, roles, subject);
    case 'favour':
    case 'virtue':
    case 'harm':
    case 'vice':
      return readDeed(wordClass, denied, words, at, length, roles);
    case 'removal': {
      const object = objectOf(words, at + length, subject);
      if (denied || subject === 'companion') return null;
      if (object === 'speaker' && subject !== 'speaker') return readFortune(false, false, roles, 'speaker');
      return object === 'companion' ? 'farewell' : null;
    }
    case 'fondness':
    case 'aversion':
    case 'loathing':
      return readAttitude(wordClass, denied, words, at, length, roles);
    case 'calling-off':
      if (denied) return 'relief';
      return roles.ahead ? 'fear' : 'cancelled';
  }
}
