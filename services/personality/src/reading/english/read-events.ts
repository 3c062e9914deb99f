import { type Clause, isNegated } from '@kith/reading';
import type { Party, Roles } from './read-roles.js';
import { degreeAt, isUnreal } from './read-scope.js';
import { type CueKind, PEOPLE } from './rules-lexicon.js';
import { valenceOf } from './valence-words.js';
import { classesAt, type WordClass } from './word-classes.js';

/** A sign of a feeling in a clause, and its strength. */
export interface Hit {
  kind: CueKind;
  strength: number;
}

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

/** Parties whose luck is news: the speaker, and those they care for. */
const THEIR_OWN = new Set<Party>(['speaker', 'belonging', 'close', 'unknown', 'stranger']);

const PASSIVE = new Set('am is are was were be been being get gets got getting'.split(' '));
const OWNING = new Set(
  'have has had having got get gets getting receive received land landed win won find found buy bought earn earned'.split(
    ' ',
  ),
);
const ME = new Set('me us my our mine ours myself ourselves'.split(' '));
const YOU = new Set('you your yours yourself'.split(' '));
const THEM = new Set('him her them his their someone somebody everyone everybody'.split(' '));
/** An object stands this close behind its verb: "gave my little brother". */
const MAX_TO_OBJECT = 4;

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
      return subject === 'companion' ? null : fortune(true, denied, roles, subject);
    case 'loss':
      if (subject === 'companion') return denied ? null : 'failed-deed';
      return fortune(false, denied, roles, subject);
    case 'fortune':
      return words.slice(0, at).some((word) => OWNING.has(word))
        ? fortune(true, denied, roles, subject)
        : null;
    case 'misfortune':
      return fortune(false, denied, roles, subject);
    case 'favour':
    case 'virtue':
    case 'harm':
    case 'vice':
      return deed(wordClass, denied, words, at, length, roles);
    case 'removal': {
      const object = objectOf(words, at + length, subject);
      if (denied || subject === 'companion') return null;
      if (object === 'speaker' && subject !== 'speaker') return fortune(false, false, roles, 'speaker');
      return object === 'companion' ? 'farewell' : null;
    }
    case 'fondness':
    case 'aversion':
    case 'loathing':
      return attitude(
        isLoathing(wordClass, words, at) ? 'loathing' : wordClass,
        denied,
        words,
        at + length,
        roles,
      );
    case 'calling-off':
      if (denied) return 'relief';
      return roles.ahead ? 'fear' : 'cancelled';
  }
}

/** Reads somebody's good or bad luck: as news, or as a hope or fear where it is still to come. */
function fortune(isGood: boolean, denied: boolean, { ahead }: Roles, whose: Party): CueKind | null {
  if (whose === 'enemy') return isGood === denied ? 'enemy-trouble' : 'enemy-luck';
  if (!THEIR_OWN.has(whose) && !(whose === 'thing' && isGood)) return null;
  if (ahead) return isGood === denied ? 'fear' : 'hope';
  if (isGood) return denied ? 'let-down' : 'good-news';
  return denied ? 'relief' : 'bad-news';
}

/** Tells whether an aversion is stressed: "I absolutely hate it". */
function isLoathing(wordClass: WordClass, words: readonly string[], at: number): boolean {
  return wordClass === 'aversion' && degreeAt(words, at) > 1;
}

/** Reads a liking or dislike of somebody or something. */
function attitude(
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
  return object === 'speaker' && subject === 'close' ? fortune(isFond, false, NOW, 'speaker') : null;
}

const NOW: Roles = { subject: 'speaker', predicate: 0, ahead: false };

/** Reads a deed: one of the companion's or the speaker's, or the luck of those it is done to. */
function deed(
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
    return subject === 'companion' ? null : fortune(isGood, denied, roles, subject);
  }
  if (subject === 'companion') {
    if (roles.ahead) return null;
    return isGood === denied ? 'failed-deed' : 'good-deed';
  }
  if (subject === 'enemy') return null;
  if (subject === 'speaker') {
    if (object === 'speaker') return fortune(isGood, denied, roles, 'speaker');
    if (denied || roles.ahead || object === 'companion') return null;
    if (!isPastForm(words[at]) || (!isMoral && object !== 'somebody')) return null;
    return isGood ? 'kind-act' : 'unkind-act';
  }
  return object === 'speaker' ? fortune(isGood, denied, roles, 'speaker') : null;
}

function isPastForm(word = ''): boolean {
  return (
    !word.endsWith('ing') && !/(?:[^s]s)$/u.test(word) && (word.endsWith('ed') || IRREGULAR_PAST.test(word))
  );
}

const IRREGULAR_PAST =
  /^(?:hurt|hit|stole|stolen|beat|beaten|lent|taught|chosen|chose|forgave|forgiven|understood|broke|broken|made|laid|let|fed|threw|thrown|gave|given|stood|got|forgot|forgotten|misled|left|shut|cut)$/u;

/** Finds whom a deed is done to: the speaker's people count as the speaker, unless the speaker does it. */
function objectOf(
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

/** Reads a clause without any better sign: by the valence of its words, and whom it is about. */
export function readValence({ words, asks }: Clause, roles: Roles, taken: ReadonlySet<number>): Hit[] {
  if (asks) return [];
  const { predicate, ahead } = roles;
  // Nothing but "brilliant" or "you idiot" is said to the one who is there.
  const isBare = words.length <= MAX_BARE && !GOES_ON.has(words[0] ?? '');
  const subject = roles.subject === 'nobody' && isBare ? 'companion' : roles.subject;
  const hits = words.flatMap((word, at): Hit[] => {
    const valence = taken.has(at) || at < predicate || isUnreal(words, at) ? 0 : valenceOf(word);
    if (Math.abs(valence) < LEAST_VALENCE) return [];
    const denied = isNegated(words, at);
    const kind = kindBySubject(subject, valence > 0 !== denied, ahead);
    const strength = WEIGHT_PER_VALENCE * Math.abs(valence) * degreeAt(words, at) * (denied ? NEGATED : 1);
    return kind ? [{ kind, strength }] : [];
  });
  // "Really good at being useless".
  const insults = hits.filter(({ kind }) => kind === 'insult');
  return insults.length > 0 ? insults : hits;
}

/** Longer exclamations have a subject. */
const MAX_BARE = 3;
const GOES_ON = new Set(['but', 'and', 'so', 'or', 'not']);

/** The least valence that counts, of AFINN's -5 to 5: weaker words ("want", "stop", "yes") say little of a feeling. */
const LEAST_VALENCE = 2;
/** AFINN says good or bad, but not of what: its words carry less than phrases of ours. */
const WEIGHT_PER_VALENCE = 0.15;
/** "Not awful" is less than good. */
const NEGATED = 0.5;

function kindBySubject(subject: Party, isGood: boolean, ahead: boolean): CueKind | null {
  if (subject === 'companion') return isGood ? 'praise' : 'insult';
  if (subject === 'thing' || subject === 'unknown') return isGood ? 'likes-thing' : 'dislikes-thing';
  if (subject === 'enemy') return isGood ? 'enemy-luck' : 'enemy-trouble';
  if (subject !== 'speaker' && subject !== 'belonging') return null;
  if (ahead) return isGood ? 'hope' : 'fear';
  return isGood ? 'good-news' : 'bad-news';
}
