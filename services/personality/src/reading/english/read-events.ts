import { type Clause, isNegated, wordSet } from '@kith/reading';
import { ADDRESSED, type Roles, type Party } from './read-roles.js';
import { degreeAt, isUnreal } from './scope-words.js';
import { type CueKind, LAUGHTER, PEOPLE } from './rules-lexicon.js';
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
const OWNING = wordSet(
  'have has had having got get gets getting receive received land landed win won find found buy bought earn earned',
);

/**
 * Reads what happens to whom from the classes of verbs and nouns, whatever their phrasing: who does it, who
 * suffers it, whether it is denied and whether it is still to come.
 */
export function readEvents(
  { text, sentence, words, asks, loud }: Clause,
  roles: Roles,
  taken: ReadonlySet<number>,
): Hit[] {
  if (asks && !roles.ahead) return [];
  const isPlayed = text.includes('*');
  const laughs = LAUGHTER.test(sentence);
  // "Everyone was invited except me" is told of the speaker.
  const isLeftOut = /\b(?:except|besides|without) (?:me|us)$/u.test(words.join(' '));
  const hits = words.flatMap((_, at): Hit[] => {
    if (taken.has(at) || isUnreal(words, at) || isAttribute(words, at)) return [];
    for (const { wordClass, length } of classesAt(words, at)) {
      const denied = isNegated(words, at) !== isLeftOut;
      const classed = { words, at, behind: at + length, denied, loud, isPlayed, laughs, roles };
      const kind = KINDS[wordClass](classed);
      if (kind) return [{ kind, strength: OUTRIGHT.has(kind) ? 1 : BY_CLASS * degreeAt(words, at) }];
    }
    return [];
  });
  // What the deed did to others is part of it: "I mocked him until he cried".
  const deeds = hits.filter(({ kind }) => kind === 'unkind-act' || kind === 'kind-act');
  return deeds.length > 0 ? deeds : hits;
}

/** Verb or noun of a class, in its clause. */
interface ClassedWord {
  words: readonly string[];
  at: number;
  /** The place of the first word behind it. */
  behind: number;
  denied: boolean;
  loud: boolean;
  /** True of what is played between asterisks: "*slaps you*". */
  isPlayed: boolean;
  /** True where its sentence laughs. */
  laughs: boolean;
  roles: Roles;
}

/** Kind of event that each class tells of; null where it tells of none. */
const KINDS: Readonly<Record<WordClass, (classed: ClassedWord) => CueKind | null>> = {
  gain: (classed) => {
    if (isOfCompanion(classed)) return null;
    if (classed.roles.subject !== 'speaker' && BEATEN.test(classed.words.slice(classed.at).join(' ')))
      return readFortune(false, classed, 'speaker');
    return readFortune(!isPassing(classed), classed);
  },
  loss: (classed) => {
    if (isOfJoy(classed)) return null;
    if (!isOfCompanion(classed)) return readFortune(false, classed);
    return classed.denied ? null : 'failed-deed';
  },
  fortune: (classed) =>
    classed.words.slice(0, classed.at).some((word) => OWNING.has(word)) ? readFortune(true, classed) : null,
  misfortune: (classed) => readFortune(false, isPast(classed) ? { ...classed, denied: true } : classed),
  favour: (classed) => readDeed({ isGood: true, isMoral: false }, classed),
  virtue: (classed) => readDeed({ isGood: true, isMoral: true }, classed),
  harm: (classed) => readHarm(classed),
  vice: (classed) => readDeed({ isGood: false, isMoral: true }, classed),
  removal: (classed) => {
    if (classed.denied) return null;
    if (isOfCompanion(classed)) return isSuffered(classed) ? 'farewell' : null;
    const object = objectOf(classed);
    if (object === 'speaker' && classed.roles.subject !== 'speaker')
      return readFortune(false, classed, 'speaker');
    return object === 'companion' ? 'farewell' : null;
  },
  fondness: (classed) => (isComparison(classed) ? null : readAttitude('fondness', classed)),
  aversion: (classed) => readAttitude('aversion', classed),
  loathing: (classed) => readAttitude('loathing', classed),
  'calling-off': ({ denied, roles }) => {
    if (denied) return 'relief';
    return roles.ahead ? 'fear' : 'cancelled';
  },
};

/** Tells whether somebody cries or dies in a manner of speaking: "im crying its so cute", but not "my cute dog died". */
function isOfJoy({ words, at, laughs }: ClassedWord): boolean {
  const word = words[at] ?? '';
  const said = words.join(' ');
  if (word.startsWith('kill')) return laughs && words[at + 1] === 'me';
  if (/^(?:dying|died)$/u.test(word))
    return words.slice(Math.max(0, at - BETWEEN_DOER), at).includes('i')
      ? laughs || JOY.test(said)
      : (words[at + 1] ?? '').startsWith('laugh');
  return /^(?:cr[yi]|sob)/u.test(word) && (laughs || JOY.test(said)) && !LOSS.test(said);
}

/** Words from an "I" to what it does, and itself: "I am literally dying". */
const BETWEEN_DOER = 3;
const JOY =
  /\b(?:laugh\p{L}*|joy|happiness|happy tears|cute|adorable|hilarious|so (?:funny|beautiful|sweet|good|happy))\b/u;
const LOSS = /\b(?:die[ds]?|dead|death|funeral|lost|gone|miss(?:ed)?|myself)\b/u;

/** Tells whether a misfortune is behind them: "she is out of surgery", "my migraine is gone". */
function isPast({ words, at, behind }: ClassedWord): boolean {
  return (
    words[at - 2] === 'out' ||
    /^(?:is|are|was) (?:finally |now )?(?:over|gone)$/u.test(words.slice(behind).join(' '))
  );
}

/** Tells whether somebody dies: "my nan passed on tuesday". Who passes at a cry passed a test: "my sister passed!". */
function isPassing({ words, at, roles, loud }: ClassedWord): boolean {
  return (
    words[at] === 'passed' &&
    roles.subject === 'close' &&
    !loud &&
    WHEN.test(words.slice(at + 1).join(' ') || 'today')
  );
}

const WHEN =
  /^(?:today|tonight|yesterday|peacefully|suddenly|recently|(?:in|on|at|last|this|when|before|after|two|three|a few) (?!the\b)\p{L}+)/u;

/** Somebody beaten by another, rather than a game won. */
const BEATEN = /^(?:beats?|beaten|beating) (?:me|us)\b|^(?:beats|beating) (?:him|her|his|my)\b/u;

function isOfCompanion({ roles }: ClassedWord): boolean {
  return roles.subject === 'companion';
}

/** Parties whose luck is news: the speaker, and those they care for. */
const THEIR_OWN = new Set<Party>(['speaker', 'belonging', 'close', 'unknown', 'stranger']);

/** Reads somebody's good or bad luck: as news, or as a hope or fear where it is still to come. */
function readFortune(
  isGood: boolean,
  { denied, roles: { ahead, subject } }: ClassedWord,
  whose: Party = subject,
): CueKind | null {
  if (whose === 'enemy') return isGood === denied ? 'enemy-trouble' : 'enemy-luck';
  if (!THEIR_OWN.has(whose) && !(whose === 'thing' && isGood)) return null;
  if (ahead) return isGood === denied ? 'fear' : 'hope';
  if (isGood) return denied ? 'let-down' : 'good-news';
  return denied ? 'relief' : 'bad-news';
}

const ME = wordSet('me us my our mine ours myself ourselves');
const THEM = wordSet('him her them his their someone somebody everyone everybody');
/** An object stands this close behind its verb: "gave my little brother". */
const MAX_TO_OBJECT = 4;

/** Finds whom a deed is done to: the speaker's people count as the speaker, unless the speaker does it. */
function objectOf({ words, behind, roles: { subject: by } }: ClassedWord) {
  const last = Math.min(words.length, behind + MAX_TO_OBJECT);
  for (let at = behind; at < last; at += 1) {
    const word = words[at] ?? '';
    const isTheirs = words.slice(at + 1, at + 3).some((next) => PEOPLE.has(next.replace(/'?s$/u, '')));
    if (by === 'speaker' && ME.has(word) && isTheirs) return 'somebody';
    if (ME.has(word)) return 'speaker';
    if (ADDRESSED.has(word)) return 'companion';
    if (THEM.has(word) || PEOPLE.has(word)) return 'somebody';
  }
  return null;
}

const PASSIVE = wordSet(
  'am is are was were be been being get gets got getting seem seems seemed look looks looked sound sounds sounded',
);

/** Reads harm as what it is in a manner of speaking or a game, to oneself, or as a threat; else as a deed. */
function readHarm(classed: ClassedWord): CueKind | null {
  const { words, at, behind, denied, laughs, roles } = classed;
  const done = words.slice(behind).join(' ');
  if (isOfJoy(classed) || TAILORED.test(`${words[at]} ${done}`)) return null;
  const isOfOthers = roles.subject !== 'companion' && roles.subject !== 'speaker';
  if (isOfOthers && TO_SELF.test(done)) return denied ? null : readFortune(false, classed);
  const isOwn = roles.subject === 'speaker' && !isSuffered(classed);
  // "I will hurt you", but not "I will destroy you in chess".
  if (isOwn && roles.ahead && done === 'you') return denied || laughs ? null : 'farewell';
  if (isOwn && IN_GAMES.test(`${words[at]} ${done}`)) return null;
  return readDeed({ isGood: false, isMoral: false }, classed);
}

/** Cuts to somebody's liking: "she cut my hair", "cut me some slack". */
const TAILORED =
  /^cut(?:s|ting)? (?:(?:me|us) (?:an?|some|the)\b|(?:my|our|his|her|their) (?:\p{L}+ )?(?:hair|bangs|fringe|beard|nails|grass|lawn)\b)/u;

/** Objects by which somebody else does it to themselves or a part of their body: "my brother broke his leg". */
const TO_SELF =
  /^(?:(?:myself|himself|herself|themselves|ourselves)\b|(?:his|her|their) (?:\p{L}+ )?(?:head|face|jaw|nose|tooth|teeth|neck|collarbone|shoulder|back|ribs?|arm|elbow|wrist|hand|finger|thumb|hip|leg|knee|shin|ankle|foot|toe)\b)/u;

/** Deeds to nobody in particular that people tell of a game or a server far sooner than of their life: "I killed him". */
const IN_GAMES =
  /^(?:kill|destroy|attack|stab|trash|poison|ban|kick|report|block|unfriend)\p{L}* ?(?:(?:him|her|them|everyone|everybody)\b|(?:like )?\d|$)/u;

/** Reads a deed: one of the companion's or the speaker's, or the luck of those it is done to. */
function readDeed(
  { isGood, isMoral }: { isGood: boolean; isMoral: boolean },
  classed: ClassedWord,
): CueKind | null {
  const { denied, roles } = classed;
  const { subject, ahead } = roles;
  if (isSuffered(classed)) return subject === 'companion' ? null : readFortune(isGood, classed);
  if (subject === 'enemy') return null;
  if (subject === 'companion') {
    if (ahead) return null;
    return isGood === denied ? 'failed-deed' : 'good-deed';
  }
  const object = objectOf(classed);
  if (object === 'speaker') return readFortune(isGood, classed, 'speaker');
  if (object === 'companion' && classed.isPlayed && !denied) return isGood ? 'treat' : 'insult';
  if (subject !== 'speaker' || denied || ahead || object === 'companion') return null;
  if (!isPastForm(classed.words[classed.at]) || (!isMoral && object !== 'somebody')) return null;
  return isGood ? 'kind-act' : 'unkind-act';
}

/** Tells whether a deed only says which thing is spoken of: "the broken link". */
function isAttribute(words: readonly string[], at: number): boolean {
  return isPastForm(words[at]) && /^(?:the|my|our|your|his|their)$/u.test(words[at - 1] ?? '');
}

/** Tells whether a deed is done to its subject: "I was robbed". */
function isSuffered({ words, at }: ClassedWord): boolean {
  return words.slice(Math.max(0, at - 2), at).some((word) => PASSIVE.has(word)) && isPastForm(words[at]);
}

function isPastForm(word = ''): boolean {
  return (
    !word.endsWith('ing') && !/(?:[^s]s)$/u.test(word) && (word.endsWith('ed') || IRREGULAR_PAST.test(word))
  );
}

const IRREGULAR_PAST =
  /^(?:hurt|hit|stole|stolen|beat|beaten|lent|taught|chosen|chose|forgave|forgiven|understood|broke|broken|made|laid|let|fed|threw|thrown|gave|given|stood|got|forgot|forgotten|misled|upset|left|shut|cut)$/u;

/** Tells whether a "like" compares: "I feel like such a burden". */
function isComparison({ words, at }: ClassedWord): boolean {
  return words[at] === 'like' && NO_FONDNESS.test(words[at - 1] ?? '');
}

const NO_FONDNESS =
  /^(?:feel|look|sound|seem|act|smell|taste)(?:s|ed)?$|ing$|^(?:felt|am|is|are|was|were|been)$/u;

/** Reads a liking or dislike of somebody or something. */
function readAttitude(wordClass: 'fondness' | 'aversion' | 'loathing', classed: ClassedWord): CueKind | null {
  const { denied, roles } = classed;
  const isFond = (wordClass === 'fondness') !== denied;
  const object = objectOf(classed);
  if (roles.subject === 'speaker' || roles.subject === 'nobody')
    return readOwnAttitude(wordClass, isFond, object, classed);
  // "You must hate me."
  if (roles.subject === 'companion') return object === 'speaker' && !isFond ? 'fear' : null;
  if (object === 'companion') return isFond ? 'treat' : null;
  if (object !== 'speaker' || roles.subject !== 'close') return null;
  return isFond ? 'good-news' : 'bad-news';
}

function readOwnAttitude(
  wordClass: 'fondness' | 'aversion' | 'loathing',
  isFond: boolean,
  object: ReturnType<typeof objectOf>,
  { words, at, behind, denied, roles }: ClassedWord,
): CueKind | null {
  // "I hate that you had to go", "I hate to ask you": not whom it is said to.
  if (!isFond && /^(?:that|it|when|to|seeing)$/u.test(words[behind] ?? '')) return 'dislikes-thing';
  if (object === 'companion') return isFond ? 'affection' : 'insult';
  if (object === 'speaker' && words.includes('myself', behind)) return isFond ? 'good-news' : 'bad-news';
  if (roles.subject === 'nobody' || behind === words.length) return null;
  // "I absolutely hate it" is more than dislike.
  const isLoathing = wordClass === 'loathing' || (wordClass === 'aversion' && degreeAt(words, at) > 1);
  if (isLoathing && !denied) return 'detests-thing';
  return isFond ? 'likes-thing' : 'dislikes-thing';
}
