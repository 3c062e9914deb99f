import { type Clause, isNegated, readClauses, readWords, textForRules } from '@kith/reading';
import type { Appraisal } from '../../affect/appraisal.js';
import { type Ahead, NOTHING_AHEAD, type ReadEvent } from '../../affect/prospect.js';
import { readEvents, type Hit, readValence } from './read-events.js';
import { type Roles, readRoles } from './read-roles.js';
import { OUTCOMES, readEndings, type Reading } from './read-endings.js';
import { degreeAt, isUnreal } from './read-scope.js';
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

/** A clause in capitals or with an exclamation mark is meant more strongly, by about as much as a weak "very". */
const LOUD = 1.2;

/** A turn has one or two points; more readings than this would be counting words. */
const MAX_READINGS = 3;

/** A burst longer than this is read by its beginning: rules must stay cheap whatever is pasted. */
const MAX_CHARACTERS = 8_000;

/** An outcome is told within the first few sentences. */
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
  const { read: told, settles } = readEndings([said.slice(0, MAX_ABOUT_AHEAD)], clauses, hits, ahead);
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

/** Reads whom each clause is about, in order. */
function rolesInTurn(clauses: readonly Clause[], name: string): Roles[] {
  const roles: Roles[] = [];
  for (const { words } of clauses) roles.push(readRoles(words, name, roles.at(-1)?.subject));
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
 * Finds the clause's cues, the longest phrase first: a word belongs to one cue, so "hate you" is no "hate". A clause
 * without any is read by who does what to whom, and by the valence of its words where that says nothing either.
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

/** Finds the places of a phrase's words from `at` on. Words of degree do not part them: "not a big fan of". */
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
  /** The cue; null for idle phrases, which take their words out of other cues. */
  cue: Cue | null;
  phrase: readonly string[];
}

/** Phrases by their first word, prepared once. */
const PHRASES: ReadonlyMap<string | undefined, Phrase[]> = Map.groupBy(
  [
    ...IDLE_PHRASES.map((words) => ({ cue: null, phrase: readWords(words) })),
    ...CUES.flatMap((cue) => cue.words.map((words) => ({ cue, phrase: readWords(words) }))),
  ],
  ({ phrase }) => phrase[0],
);

/** Lists the phrases that may begin at each place of a clause, the longest first. */
function phrasesIn(words: readonly string[]): (Phrase & { at: number })[] {
  return words
    .flatMap((word, at) => (PHRASES.get(word) ?? []).map((phrase) => ({ ...phrase, at })))
    .sort((one, other) => other.phrase.length - one.phrase.length);
}

/** Weighs a cue by whom the clause is about; 0 when that is somebody else. */
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

/** Something that the companion advised, made or showed. */
const BY_COMPANION =
  /\b(?:you|your) (?:\w+ ){0,2}?(?:suggest|advi[cs]e|tip\b|tips\b|trick|idea|recipe|told me|showed|recommend|explain|taught|plan\b|method)|\b(?:tried|used|followed|took|thanks to|because of) (?:\w+ )?(?:you|your)\b/u;

/** Readings of an outcome that the companion caused: they count as its deed. */
const CAUSED: Partial<Record<ReadingKind, ReadingKind>> = {
  'good-news': 'good-deed',
  'likes-thing': 'good-deed',
  fulfilled: 'good-deed',
  'bad-news': 'failed-deed',
  'dislikes-thing': 'failed-deed',
  'let-down': 'failed-deed',
};

/** Turns outcomes that the companion caused into its deeds: "I tried your recipe and it came out great". */
function caused(hits: readonly Reading[], clauses: readonly Clause[]): Reading[] {
  if (!BY_COMPANION.test(clauses.map(({ words }) => words.join(' ')).join(' '))) return [...hits];
  return hits.map((hit) => ({ ...hit, kind: CAUSED[hit.kind] ?? hit.kind }));
}

const KIND_WORDS: ReadonlySet<ReadingKind> = new Set(['praise', 'thanks', 'good-deed']);

/** Drops kind words beside a failure, which they mock ("Great job, you broke it again"), unless a "but" parts them. */
function withoutIrony(hits: readonly Reading[], clauses: readonly Clause[]): Reading[] {
  const isParted = clauses.some(({ words }) => words[0] === 'but' || words[0] === 'however');
  const isIronic = !isParted && hits.some(({ kind }) => kind === 'failed-deed');
  return isIronic ? hits.filter(({ kind }) => !KIND_WORDS.has(kind)) : [...hits];
}

const SAYS = /^(?:said|says|told|tells|called|calls|calling|wrote|yelled|shouted|texted)$/u;

/** Reads hurtful words that are quoted as said to the person: bad news, and no insult to the companion. */
function hurtByQuotes(quotes: readonly string[], clauses: readonly Clause[], name: string): Reading[] {
  const words = clauses.flatMap((clause) => clause.words);
  const isToldOfThem = words.some((word) => word === 'me' || word === 'us');
  if (!isToldOfThem || !words.some((word) => SAYS.test(word))) return [];
  return quotes
    .flatMap((quote) =>
      readClauses(quote).clauses.flatMap((clause) => hitsIn(clause, readRoles(clause.words, name))),
    )
    .filter(({ kind }) => kind === 'insult' || kind === 'hatred')
    .map(({ strength }) => ({ kind: 'bad-news' as const, strength }));
}
