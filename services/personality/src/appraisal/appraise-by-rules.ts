import { textForRules } from '@kith/reading';
import type { Appraisal } from './appraisal.js';
import { plainWords } from './chat-spelling.js';
import { type Ahead, NOTHING_AHEAD, type ReadEvent } from './prospects.js';
import { type Clause, readClauses } from './read-clauses.js';
import { eventsIn, type Hit, valenceIn } from './read-events.js';
import { type Roles, rolesOf } from './read-roles.js';
import { OUTCOMES, type Reading, settled } from './read-endings.js';
import { degreeAt, isNegated, isUnreal } from './read-scope.js';
import {
  type Addressee,
  BOOSTERS,
  type Cue,
  type CueKind,
  CUES,
  DAMPERS,
  IDLE_PHRASES,
  type ReadingKind,
  READINGS,
} from './rules-lexicon.js';

/** A clause in capitals or with an exclamation mark is meant more strongly. */
const LOUD = 1.2;

/** More than this many readings of one turn would be counting words, not reading it. */
const MAX_READINGS = 3;

/** A burst longer than this is read by its beginning: rules must stay cheap whatever is pasted. */
const MAX_CHARACTERS = 8_000;

/** What came of something is told within a few sentences. */
const MAX_ABOUT_AHEAD = 2_000;

const SPEAKER = new Set('i me my mine we us our ours myself ourselves'.split(' '));
/**
 * Reads what a person said by a lexicon with negation, intensity, and prospects that are settled in the same
 * breath. Shallow and predictable: it stands in when there is no model. Knows English only; other languages
 * come out as nothing to feel.
 */
export function appraiseByRules(
  texts: readonly string[],
  companionName: string,
  ahead: Ahead = NOTHING_AHEAD,
): ReadEvent[] {
  const name = companionName.toLowerCase();
  const said = textForRules(texts.join('\n'), MAX_CHARACTERS);
  const { clauses, quotes } = readClauses(said);
  const roles = rolesInTurn(clauses, name);
  const hits = clauses.map((clause, n) => hitsIn(clause, roles[n]!));
  const { read: told, settles } = settled([said.slice(0, MAX_ABOUT_AHEAD)], clauses, hits, ahead);
  const read = withoutIrony(caused(told, clauses), clauses);
  const strongest = new Map<ReadingKind, number>();
  for (const { kind, strength } of [...read, ...hurtByQuotes(quotes, clauses, name)]) {
    strongest.set(kind, Math.max(strongest.get(kind) ?? 0, strength));
  }
  return [...strongest]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MAX_READINGS)
    .map(([kind, strength]) => {
      const reading = scaledReading(READINGS[kind], strength);
      return settles !== null && OUTCOMES.has(kind) ? { ...reading, settles } : reading;
    });
}

/** Who each clause is about, in their order. */
function rolesInTurn(clauses: readonly Clause[], name: string): Roles[] {
  const roles: Roles[] = [];
  for (const { words } of clauses) roles.push(rolesOf(words, name, roles.at(-1)?.subject));
  return roles;
}

function scaledReading(reading: Appraisal, strength: number): Appraisal {
  // Towards a person `appealingness` is goodwill, which loud words do not change.
  const appealingness =
    reading.target === 'object' ? reading.appealingness * strength : reading.appealingness;
  return {
    ...reading,
    appealingness,
    desirability: reading.desirability * strength,
    praiseworthiness: reading.praiseworthiness * strength,
  };
}

/**
 * The clause's cues, the longest phrase first: a word belongs to one cue, so "hate you" is no "hate". A clause without
 * any is read by who does what to whom, and by the valence of its words where that says nothing either.
 */
function hitsIn(clause: Clause, roles: Roles): Hit[] {
  const { words, loud } = clause;
  const taken = new Set<number>();
  const hits: Hit[] = [];
  for (const { cue, phrase, at } of phrasesIn(words)) {
    const places = placesOf(phrase, words, at, taken);
    if (!places) continue;
    const bearing = cue === null ? 1 : bearingOf(cue.about, clause, roles);
    if (bearing === 0) continue;
    for (const place of places) taken.add(place);
    if (cue === null) continue;
    const hit = weighed(cue, words, at, bearing);
    if (hit) hits.push(hit);
  }
  const isTelling = hits.some(({ kind }) => !IN_PASSING.has(kind));
  const events = isTelling ? [] : eventsIn(clause, roles, taken);
  const valences = isTelling || events.length > 0 ? [] : valenceIn(clause, roles, taken);
  return [...hits, ...events, ...valences].map(({ kind, strength }) => ({
    kind: (roles.subject === 'enemy' && OF_ENEMIES[kind]) || kind,
    strength: Math.min(1, loud ? strength * LOUD : strength),
  }));
}

/** What stands beside what is told, and tells little by itself. */
const IN_PASSING: ReadonlySet<CueKind> = new Set(['greeting', 'happened', 'called-off']);

/** Whoever wronged the companion is wished no good. */
const OF_ENEMIES: Partial<Record<CueKind, ReadingKind>> = {
  'good-news': 'enemy-luck',
  fulfilled: 'enemy-luck',
  'bad-news': 'enemy-trouble',
  'let-down': 'enemy-trouble',
};

/** Where a phrase's words stand from a place on; words of degree between them do not part them: "not a big fan of". */
function placesOf(
  phrase: readonly string[],
  words: readonly string[],
  at: number,
  taken: ReadonlySet<number>,
): number[] | null {
  const places: number[] = [];
  let place = at;
  for (const pattern of phrase) {
    while (places.length > 0 && words[place] !== pattern && isOfDegree(words[place])) place += 1;
    if (taken.has(place) || words[place] !== pattern) return null;
    places.push(place);
    place += 1;
  }
  return places;
}

function isOfDegree(word = ''): boolean {
  return BOOSTERS.has(word) || DAMPERS.has(word);
}

interface Phrase {
  /** Null of idle phrases, which stand among the cues and are none. */
  cue: Cue | null;
  phrase: readonly string[];
}

/** All phrases by their first word, prepared once. */
const PHRASES: ReadonlyMap<string | undefined, Phrase[]> = Map.groupBy(
  [
    ...IDLE_PHRASES.map((words) => ({ cue: null, phrase: plainWords(words.split(' ')) })),
    ...CUES.flatMap((cue) => cue.words.map((words) => ({ cue, phrase: plainWords(words.split(' ')) }))),
  ],
  ({ phrase }) => phrase[0],
);

/** What may be said in a clause, by the place of its first word, the longest first. */
function phrasesIn(words: readonly string[]): (Phrase & { at: number })[] {
  return words
    .flatMap((word, at) => (PHRASES.get(word) ?? []).map((phrase) => ({ ...phrase, at })))
    .sort((one, other) => other.phrase.length - one.phrase.length);
}

/** How much a clause's words bear on whom the cue is about; 0 when they are about someone else. */
function bearingOf(about: Addressee, { words, asks }: Clause, { subject }: Roles): number {
  if (about === 'anyone') return 1;
  if (words.some((word) => SPEAKER.has(word))) return 1;
  if (about === 'speaker' || subject === 'companion') return 0;
  // "Feeling low today" has no "I" and means it; "the film was sad" does not. Half is right half the time.
  // "Are you ever sad?" asks, and tells nothing.
  return asks ? 0 : 0.5;
}

function weighed(cue: Cue, words: readonly string[], at: number, bearing: number): Hit | undefined {
  if (isUnreal(words, at)) return undefined;
  const meant = isNegated(words, at) ? cue.negated : cue;
  return meant && { kind: meant.kind, strength: meant.weight * degreeAt(words, at) * bearing };
}

/** What the companion advised, made or showed, and somebody went by. */
const BY_COMPANION =
  /\b(?:you|your) (?:\w+ ){0,2}?(?:suggest|advi[cs]e|tip\b|tips\b|trick|idea|recipe|told me|showed|recommend|explain|taught|plan\b|method)|\b(?:tried|used|followed|took|thanks to|because of) (?:\w+ )?(?:you|your)\b/u;

/** How what the companion caused turned out is its deed. */
const CAUSED: Partial<Record<ReadingKind, ReadingKind>> = {
  'good-news': 'good-deed',
  'likes-thing': 'good-deed',
  fulfilled: 'good-deed',
  'bad-news': 'failed-deed',
  'dislikes-thing': 'failed-deed',
  'let-down': 'failed-deed',
};

/** "I tried your recipe and it came out great" is the companion's doing. */
function caused(hits: readonly Reading[], clauses: readonly Clause[]): Reading[] {
  if (!BY_COMPANION.test(clauses.map(({ words }) => words.join(' ')).join(' '))) return [...hits];
  return hits.map((hit) => ({ ...hit, kind: CAUSED[hit.kind] ?? hit.kind }));
}

const KIND_WORDS: ReadonlySet<ReadingKind> = new Set(['praise', 'thanks', 'good-deed']);

/** "Great job, you broke it again": kind words beside a failure mean the failure, unless a "but" parts them. */
function withoutIrony(hits: readonly Reading[], clauses: readonly Clause[]): Reading[] {
  const isParted = clauses.some(({ words }) => words[0] === 'but' || words[0] === 'however');
  const isIronic = !isParted && hits.some(({ kind }) => kind === 'failed-deed');
  return isIronic ? hits.filter(({ kind }) => !KIND_WORDS.has(kind)) : [...hits];
}

const SAYS = /^(?:said|says|told|tells|called|calls|calling|wrote|yelled|shouted|texted)$/u;

/** Words that hurt, quoted as somebody's to the person: bad news, and no insult to the companion. */
function hurtByQuotes(quotes: readonly string[], clauses: readonly Clause[], name: string): Reading[] {
  const words = clauses.flatMap((clause) => clause.words);
  const isToldOfThem = words.some((word) => word === 'me' || word === 'us');
  if (!isToldOfThem || !words.some((word) => SAYS.test(word))) return [];
  return quotes
    .flatMap((quote) =>
      readClauses(quote).clauses.flatMap((clause) => hitsIn(clause, rolesOf(clause.words, name))),
    )
    .filter(({ kind }) => kind === 'insult' || kind === 'hatred')
    .map(({ strength }) => ({ kind: 'bad-news' as const, strength }));
}
