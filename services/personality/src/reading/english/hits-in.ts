import { type Clause, isNegated, wordSet } from '@kith/reading';
import { readWishToEnd } from './read-wishes.js';
import { readEvents } from './read-events.js';
import { readValence } from './read-valence.js';
import { ADDRESSED, type Party, type Roles } from './read-roles.js';
import { degreeAt, isUnreal } from './scope-words.js';
import { type Cue, type CueKind, LAUGHTER, type ReadingKind } from './rules-lexicon.js';
import { placesOf, phrasesIn } from './phrases-in.js';
import type { Hit } from './endings.js';

/** A clause in capitals or with an exclamation mark is meant more strongly, by about as much as a weak "very". */
const LOUD = 1.2;

/** Pleas not to do or feel something: "don't be sad". Without an "I" people say as well what they don't like. */
const ORDER =
  /^(?:(?:and|but|so|no|oh|hey|please|just) )?do not (?:you )?(?!(?:like|want|know|feel|think|have|need|care|see|understand|love|hate|enjoy|trust|believe|remember|even|really|get|mind|sleep|deserve|belong|fit|matter)\b)\p{L}/u;

/** Words before a hard name that somebody gives themselves; not "I am sick of this stupid bot". */
const OF_SELF = /\bi (?:am|was|feel|felt)\b(?!.*\b(?:your?|bot|ai)\b)/u;

/** Loud cries of who has made it. */
const CHEER = /^(?:yes|finally|yay|woo|(?:oh my god )?(?:i|we) did it|let'?s (?:\S+ )?go)$/u;
/** A cry tells of a success, not of which: about as much as a verb of gaining. */
const BY_CHEER = 0.6;

const SPEAKER = wordSet('i me my mine we us our ours myself ourselves');

/**
 * Finds the clause's cues, the longest phrase first: a word belongs to one cue, so "hate you" is no "hate". A clause
 * without any is read by who does what to whom, and by the valence of its words where that says nothing either.
 */
export function hitsIn(said: Clause, roles: Roles): Hit[] {
  const { words, loud } = said;
  if (loud && CHEER.test(words.join(' '))) return [{ kind: 'good-news', strength: BY_CHEER }];
  const wish = readWishToEnd(words);
  if (wish) return [wish];
  const clause = { ...said, asks: said.asks || ORDER.test(words.join(' ')) };
  const taken = new Set<number>();
  const hits: Hit[] = [];
  for (const { cue, phrase, at } of phrasesIn(words)) {
    const places = placesOf(phrase, words, at, taken);
    if (!places) continue;
    if (cue && !isInPlace(cue, clause, places)) continue;
    const bearing = cue === null ? 1 : bearingOf(cue, clause, at, roles);
    if (bearing === 0) continue;
    for (const place of places) taken.add(place);
    if (cue === null) continue;
    const hit = weighed(cue, clause, at, bearing);
    if (hit) hits.push(hit);
  }
  const isTelling = hits.some(({ kind }) => !IN_PASSING.has(kind));
  const events = isTelling ? [] : readEvents(clause, roles, taken);
  const valences = isTelling || events.length > 0 ? [] : readValence(clause, roles, taken);
  return [...hits, ...events, ...valences].map(({ kind, strength }) => ({
    kind: (roles.subject === 'enemy' && OF_ENEMIES[kind]) || kind,
    strength: Math.min(1, loud ? strength * LOUD : strength),
  }));
}

/** Cues that stand beside others and tell little by themselves. */
const IN_PASSING: ReadonlySet<CueKind> = new Set(['greeting', 'happened', 'called-off']);

/** Readings of an enemy's luck: somebody who wronged the companion is wished no good. */
const OF_ENEMIES: Partial<Record<CueKind, ReadingKind>> = {
  'good-news': 'enemy-luck',
  fulfilled: 'enemy-luck',
  'bad-news': 'enemy-trouble',
  'let-down': 'enemy-trouble',
};

/** Subjects of whom hurtful words without a "you" are told: "she was so mean to me". */
const OTHER_THAN_COMPANION: ReadonlySet<Party> = new Set(['close', 'stranger', 'belonging', 'enemy']);

/** Weighs a cue by whom the clause is about; 0 when that is somebody else. */
function bearingOf({ about, kind }: Cue, { words, asks }: Clause, at: number, { subject }: Roles) {
  if (kind === 'insult' && OTHER_THAN_COMPANION.has(subject) && !words.some((word) => ADDRESSED.has(word)))
    return 0;
  if (about === 'rivals') return subject === 'companion' ? 0 : 1;
  if (about === 'others' && isDoneBySpeaker(words, at)) return 0;
  if (about === undefined || words.some((word) => SPEAKER.has(word))) return 1;
  if (about === 'speaker' || subject === 'companion') return 0;
  // "Feeling low today" means its speaker without an "I"; "the film was sad" does not. In doubt it counts half.
  // "Are you ever sad?" asks, and tells nothing.
  return asks ? 0 : 0.5;
}

/** Words between an "I" and what it does something to: "I gave it to someone else". */
const MAX_BETWEEN = 3;
/** Words that show that somebody else does it, or has it done to them: "I saw him with someone else". */
const OTHER_DOERS = wordSet('he she they you who him her them the my our');

function isDoneBySpeaker(words: readonly string[], at: number): boolean {
  const before = words.slice(Math.max(0, at - MAX_BETWEEN - 1), at);
  const doer = before.findLast((word) => word === 'i' || word === 'we' || OTHER_DOERS.has(word));
  return doer === 'i' || doer === 'we';
}

/** Words that friends say for fun beside laughter: "I hate you lol". */
const HEATED = /^(?:hate|fuck|screw|shut)$/u;

/** Tells whether the words around a cue let it be one. */
function isInPlace(
  { kind, unlessBeside, onlyAfter, endsClause }: Cue,
  { text, words, loud }: Clause,
  places: readonly number[],
): boolean {
  const [first = 0, last = first] = [places[0], places.at(-1)];
  const [before = '', after = ''] = [words[first - 1], words[last + 1]];
  // "Hello?" waits for an answer.
  if (kind === 'greeting' && words.length === 1 && text.endsWith('?')) return false;
  if (unlessBeside?.has(before) || unlessBeside?.has(after)) return false;
  if (endsClause && last < words.length - 1) return false;
  const isExclaimed = loud && first === 0 && last === words.length - 2;
  return onlyAfter === undefined || onlyAfter.has(before) || isExclaimed;
}

function weighed(cue: Cue, { words, sentence }: Clause, at: number, bearing: number): Hit | undefined {
  const meant = isNegated(words, at) ? cue.negated : cue;
  if (!meant || isUnreal(words, at)) return undefined;
  const isHostile = meant.kind === 'hatred' || meant.kind === 'insult';
  if (isHostile && HEATED.test(words[at] ?? '') && LAUGHTER.test(sentence)) return undefined;
  // "I am a piece of shit" is said in despair, and to nobody.
  const kind = isHostile && OF_SELF.test(words.join(' ')) ? 'bad-news' : meant.kind;
  return { kind, strength: meant.weight * degreeAt(words, at) * bearing };
}
