import { wordSet } from '@kith/reading';
import { FELT_FROM } from './prospect-words.js';
import { PEOPLE } from './rules-lexicon.js';
import { valenceOf } from './valence-of.js';
import { classesAt, isKnownVerb } from './word-classes.js';

/**
 * The party whose doing or lot a clause tells of. `belonging`: something of the speaker's ("my back", "our flight").
 * `close`: somebody they know or speak of. `unknown`: a bare name or a bare thing. `enemy`: somebody who wronged the
 * companion. `stranger`: somebody else. `nobody`: the clause does not say.
 */
export type Party =
  | 'speaker'
  | 'belonging'
  | 'companion'
  | 'close'
  | 'enemy'
  | 'stranger'
  | 'unknown'
  | 'thing'
  | 'nobody';

export interface Roles {
  subject: Party;
  /** The place of the first word after the subject. */
  predicate: number;
  /** Told as still to come, or as possible only. */
  ahead: boolean;
  /** Party of a cry without a subject: the companion by its name, or what the turn spoke of before. */
  cry?: 'companion' | 'thing' | undefined;
}

const MYSELF = wordSet('i we me us myself ourselves');
const MINE = wordSet('my our');
export const ADDRESSED = wordSet('you your yours yourself');
const POINTING = wordSet('the a an some this that these those another one every each any all');
const OTHERS = wordSet('he she they him her them');
/** Words by which a companion is called. */
export const NAMES_COMPANION = /^(?:you|your|bot|robot|ai|chatbot|machine|program)$/u;
const ITS = wordSet('it this that these those there');
/** Words that open a clause and name nobody. */
export const OPENERS = wordSet(
  `and but so then now today yesterday tonight tomorrow just finally yes yeah yep yup no ok okay well welp oh ah ugh wow hey hi hello
  because since when while also maybe perhaps still even unfortunately luckily sadly thankfully fortunately apparently honestly
  seriously actually literally guess haha hahaha though however omg phew yay woo woop bless god damn man dude bro mate like
  really almost already again if as after before once lately morning last week night month year years today's`,
);
/** Verbs of saying and thinking: the clause tells what stands after them. */
const MATRIX =
  /^(?:think|thinks|thought|guess|know|knew|believe|feel like|heard|hear|hears|says|say|said|swear|bet|reckon|suppose|figure|suspect|means|mean|wish|announced|told me|tells me|told you|found out|figured|realized|realised)$/u;
const AUXILIARIES = wordSet(
  'am are is was were be been being have has had do does did will would can could may might must should shall get gets got getting keep keeps kept look looks looked seem seems sound sounds feel feels felt make makes made taste tastes smell smells go goes went come comes came turn turns turned say says said stay stays stayed',
);

/** Reads, shallowly, whom a clause is about and whether it is still to come. */
export function readRoles(clause: readonly string[], name: string, before: Party = 'nobody'): Roles {
  const start = afterMatrix(clause);
  const ahead = isAhead(clause);
  let at = start;
  while (at < clause.length - 1 && OPENERS.has(clause[at] ?? '')) at += 1;
  const end = verbFrom(clause, at);
  const { subject, length } = subjectAt(clause, at, end, name);
  // "She tried and failed": a clause that goes on without a subject has the one before.
  const isElliptic = GOES_ON.has(clause[start] ?? '') && (subject === 'nobody' || length === 0);
  return { subject: isElliptic ? before : subject, predicate: at + length, ahead };
}

const GOES_ON = wordSet('but and so or then');

/** Words of a clause from its subject on, up to its verb. */
interface Opening {
  clause: readonly string[];
  at: number;
  head: string;
  /** The word after the head. */
  next: string;
  phrase: readonly string[];
  isPerson: boolean;
  hasVerb: boolean;
  name: string;
}

type Subject = readonly [subject: Party, length: 'all' | 0 | 1 | 2, opens: (opening: Opening) => boolean];

/** Subjects by how they open, the first that fits, each with the number of its words. */
const SUBJECTS: readonly Subject[] = [
  ['enemy', 'all', ({ clause, at }) => wrongsCompanion(clause, at)],
  ['speaker', 1, ({ head }) => MYSELF.has(head)],
  ['close', 'all', ({ head, isPerson }) => isPerson && MINE.has(head)],
  ['belonging', 'all', ({ head }) => MINE.has(head)],
  ['companion', 1, ({ head, name }) => head === 'you' || head === name],
  [
    'companion',
    'all',
    ({ head, phrase }) => head === 'this' && /^(?:bot|chatbot|ai)$/u.test(phrase.at(-1) ?? ''),
  ],
  ['thing', 2, ({ head, next }) => head === 'what' && (next === 'a' || next === 'an')],
  ['companion', 'all', ({ head, next }) => head === 'what' && next === 'you'],
  ['companion', 1, ({ head, phrase }) => head === 'how' && phrase.includes('you')],
  ['companion', 1, ({ head, clause, at }) => head === 'why' && clause[at + 2] === 'you'],
  ['companion', 'all', ({ head }) => head === 'your'],
  ['close', 1, ({ head }) => OTHERS.has(head)],
  ['companion', 'all', ({ head, phrase }) => !ITS.has(head) && POINTING.has(head) && phrase.includes('you')],
  ['stranger', 'all', ({ head, isPerson }) => isPerson && (ITS.has(head) || POINTING.has(head))],
  ['thing', 'all', ({ head }) => ITS.has(head) || POINTING.has(head)],
  ['close', 'all', ({ head }) => PEOPLE.has(head)],
  ['speaker', 0, ({ head }) => isKnownVerb(head) || AUXILIARIES.has(head) || isDoing(head)],
  ['nobody', 0, ({ hasVerb, phrase }) => !hasVerb || phrase.length === 0],
  ['close', 'all', ({ isPerson }) => isPerson],
  ['unknown', 'all', ({ phrase }) => phrase.length === 1],
];

/** Tells whether a bare word says what its speaker does: "driving home", but not "disgusting". */
function isDoing(word: string): boolean {
  return word.endsWith('ing') && Math.abs(valenceOf(word)) < FELT_FROM;
}

function subjectAt(
  clause: readonly string[],
  at: number,
  end: number,
  name: string,
): { subject: Party; length: number } {
  const phrase = clause.slice(at, end);
  const opening: Opening = {
    clause,
    at,
    head: clause[at] ?? '',
    next: clause[at + 1] ?? '',
    phrase,
    isPerson: phrase.some((word) => PEOPLE.has(word)),
    hasVerb: end < clause.length,
    name,
  };
  const [subject, length] = SUBJECTS.find(([, , opens]) => opens(opening)) ?? (['thing', 'all'] as const);
  return { subject, length: length === 'all' ? phrase.length : length };
}

/** Finds the place of the first verb from `at` on, as far as the lists tell. */
function verbFrom(clause: readonly string[], at: number): number {
  const verb = clause.findIndex(
    (word, n) =>
      n > at && (AUXILIARIES.has(word) || (isKnownVerb(word) && !POINTING.has(clause[n - 1] ?? ''))),
  );
  return verb === -1 ? clause.length : verb;
}

const TOLD_OF = [MYSELF, MINE, OTHERS, POINTING, ADDRESSED, ITS, PEOPLE];

/** Skips "I think that" and "the doctor says": the clause tells what comes then. */
function afterMatrix(clause: readonly string[]): number {
  for (let at = 0; at < Math.min(5, clause.length); at += 1) {
    const two = `${clause[at]} ${clause[at + 1]}`;
    // "Everyone acts like I am a ghost" tells of oneself, "you act like I am one" of the companion.
    const isLike = clause[at] === 'like' && /^(?:i|we)$/u.test(clause[at + 1] ?? '') && clause[0] !== 'you';
    const length = MATRIX.test(two) ? 2 : isLike || MATRIX.test(clause[at] ?? '') ? 1 : 0;
    if (length === 0) continue;
    const next = at + length + (clause[at + length] === 'that' ? 1 : 0);
    const head = clause[next] ?? '';
    if (head === 'how' || TOLD_OF.some((words) => words.has(head))) return next;
  }
  return 0;
}

/** Tells whether the subject wronged the companion: "the one who mocked you", "that guy who wanted you gone". */
function wrongsCompanion(clause: readonly string[], at: number): boolean {
  // "He wrote that you are rude" tells of no wrong.
  const who = clause.findIndex(
    (word, n) => n > at && (word === 'who' || (word === 'that' && clause[n + 1] !== 'you')),
  );
  if (who === -1 || who - at > 4) return false;
  const you = clause.findIndex((word, n) => n > who && word === 'you');
  if (you === -1 || you - who > MAX_RELATIVE) return false;
  return clause.slice(0, you + 3).some((word, n) => {
    if (n <= who) return false;
    const isWrong = classesAt(clause, n).some(
      ({ wordClass }) => wordClass === 'harm' || wordClass === 'removal',
    );
    return isWrong || valenceOf(word) < 0;
  });
}

/** The "you" stands this close behind the "who": "who has always been calling you". */
const MAX_RELATIVE = 5;

const AHEAD = wordSet('will might may could tomorrow soon going');
const NEAR = /^(?:next|this|in)$/u;
const TIMES = wordSet(
  'week month year monday tuesday wednesday thursday friday saturday sunday weekend summer winter spring autumn january february march april may june july august september october november december',
);

/** Tells whether a clause speaks of what is still to come. */
function isAhead(clause: readonly string[]): boolean {
  if (clause[0] === 'if' || (clause[0] === 'what' && clause[1] === 'if')) return true;
  return clause.some((word, n) => {
    if (word === 'going') return clause[n + 1] === 'to';
    if (word === 'will' && clause[n - 1] === 'i' && clause.length < 4) return false;
    return AHEAD.has(word) || (NEAR.test(word) && TIMES.has(clause[n + 1] ?? ''));
  });
}
