import { type Clause, isNegated } from '@kith/reading';
import type { Roles, Party } from './read-roles.js';
import { degreeAt, isUnreal } from './scope-words.js';
import { type CueKind, PEOPLE } from './rules-lexicon.js';
import { classesAt, type WordClass } from './word-classes.js';
import type { Hit } from './endings.js';

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

function kindOf(wordClass: WordClass, words: readonly string[], at: number, length: number, roles: Roles) {
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

/** Parties whose luck is news: the speaker, and those they care for. */
const THEIR_OWN = new Set<Party>(['speaker', 'belonging', 'close', 'unknown', 'stranger']);

/** Reads somebody's good or bad luck: as news, or as a hope or fear where it is still to come. */
function readFortune(isGood: boolean, denied: boolean, { ahead }: Roles, whose: Party): CueKind | null {
  if (whose === 'enemy') return isGood === denied ? 'enemy-trouble' : 'enemy-luck';
  if (!THEIR_OWN.has(whose) && !(whose === 'thing' && isGood)) return null;
  if (ahead) return isGood === denied ? 'fear' : 'hope';
  if (isGood) return denied ? 'let-down' : 'good-news';
  return denied ? 'relief' : 'bad-news';
}

const ME = new Set('me us my our mine ours myself ourselves'.split(' '));
const YOU = new Set('you your yours yourself'.split(' '));
const THEM = new Set('him her them his their someone somebody everyone everybody'.split(' '));
/** An object stands this close behind its verb: "gave my little brother". */
const MAX_TO_OBJECT = 4;

/** Finds whom a deed is done to: the speaker's people count as the speaker, unless the speaker does it. */
function objectOf(words: readonly string[], from: number, by: Party) {
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

const PASSIVE = new Set('am is are was were be been being get gets got getting'.split(' '));

/** Reads a deed: one of the companion's or the speaker's, or the luck of those it is done to. */
function readDeed(
  wordClass: 'favour' | 'virtue' | 'harm' | 'vice',
  denied: boolean,
  words: readonly string[],
  at: number,
  length: number,
  roles: Roles,
): CueKind | null {
  const isGood = wordClass === 'favour' || wordClass === 'virtue';
  const isMoral = wordClass === 'virtue' || wordClass === 'vice';
  const { subject } = roles;
  const object = objectOf(words, at + length, subject);
  if (
    at > 0 &&
    words.slice(Math.max(0, at - 2), at).some((word) => PASSIVE.has(word)) &&
    isPastForm(words[at])
  ) {
    return subject === 'companion' ? null : readFortune(isGood, denied, roles, subject);
  }
  if (subject === 'companion') {
    if (roles.ahead) return null;
    return isGood === denied ? 'failed-deed' : 'good-deed';
  }
  if (subject === 'enemy') return null;
  if (subject === 'speaker') {
    if (object === 'speaker') return readFortune(isGood, denied, roles, 'speaker');
    if (denied || roles.ahead || object === 'companion') return null;
    if (!isPastForm(words[at]) || (!isMoral && object !== 'somebody')) return null;
    return isGood ? 'kind-act' : 'unkind-act';
  }
  return object === 'speaker' ? readFortune(isGood, denied, roles, 'speaker') : null;
}

function isPastForm(word = ''): boolean {
  return (
    !word.endsWith('ing') && !/(?:[^s]s)$/u.test(word) && (word.endsWith('ed') || IRREGULAR_PAST.test(word))
  );
}

const IRREGULAR_PAST =
  /^(?:hurt|hit|stole|stolen|beat|beaten|lent|taught|chosen|chose|forgave|forgiven|understood|broke|broken|made|laid|let|fed|threw|thrown|gave|given|stood|got|forgot|forgotten|misled|left|shut|cut)$/u;

/** Reads a liking or dislike of somebody or something. */
function readAttitude(
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
