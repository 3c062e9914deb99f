import type { Appraisal } from './appraisal.js';
import { type Clause, readClauses } from './read-clauses.js';
import {
  type Addressee,
  BOOSTERS,
  type Cue,
  type CueKind,
  CUES,
  DAMPERS,
  IDLE_PHRASES,
  NEGATIONS,
  PEOPLE,
  type ReadingKind,
  READINGS,
} from './rules-lexicon.js';
import { valenceCues } from './valence-words.js';

/** A negation or a "very" reaches this many words ahead: "not a very good". */
const REACH = 3;

const BOOST = 1.35;
const DAMP = 0.6;
/** A clause in capitals or with an exclamation mark is meant more strongly. */
const LOUD = 1.2;

/** More than this many readings of one turn would be counting words, not reading it. */
const MAX_READINGS = 3;

/** A burst longer than this is read by its beginning: rules must stay cheap whatever is pasted. */
const MAX_CHARACTERS = 8_000;

const MYSELF = new Set("i i'm im i've ive i'd i'll me myself we we're we've us ourselves".split(' '));
const SPEAKER = new Set([...MYSELF, 'my', 'mine', 'our', 'ours']);
const CONTRACTED = new Set("you're youre ur you've".split(' '));
const ADDRESSED = new Set([...CONTRACTED, 'you', 'your', 'u']);
const COPULAS = new Set(
  "are were is was r be been look looks sound sounds seem seems taste tastes smell smells feels really aren't weren't isn't wasn't".split(
    ' ',
  ),
);
const POINTERS = new Set("the this that these those my our today's tonight's it it's that's".split(' '));
/** Before a cue these say that it is not so, only might be: "I would be happy to". */
const WOULD = new Set(['would', "wouldn't", "i'd", "we'd", "you'd", "it'd"]);
/** A prospect with one of these lies behind: what is told next is how it ended. */
const PAST = new Set('was were had been hoped feared dreaded worried'.split(' '));

interface Hit {
  kind: CueKind;
  strength: number;
}

interface Reading extends Hit {
  kind: ReadingKind;
}

/**
 * Reads what a person said by a lexicon with negation, intensity, and prospects that are settled in the same
 * breath. Shallow and predictable: it stands in when there is no model. Knows English only; other languages
 * come out as nothing to feel.
 */
export function appraiseByRules(texts: readonly string[], companionName: string): Appraisal[] {
  const name = companionName.toLowerCase();
  const { clauses, quotes } = readClauses(texts.join('\n').slice(0, MAX_CHARACTERS));
  const hits = clauses.map((clause) => hitsIn(clause, name));
  const read = withoutIrony(settled(clauses, hits), clauses);
  const strongest = new Map<ReadingKind, number>();
  for (const { kind, strength } of [...read, ...hurtByQuotes(quotes, clauses, name)]) {
    strongest.set(kind, Math.max(strongest.get(kind) ?? 0, strength));
  }
  return [...strongest]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MAX_READINGS)
    .map(([kind, strength]) => scaledReading(READINGS[kind], strength));
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
 * any is read by the valence of its other words.
 */
function hitsIn(clause: Clause, name: string): Hit[] {
  const { words, loud } = clause;
  const taken = new Set<number>();
  const hits: Hit[] = [];
  for (const { cue, phrase } of PHRASES) {
    for (let at = 0; at + phrase.length <= words.length; at += 1) {
      if (!phrase.every((word, n) => !taken.has(at + n) && matches(words[at + n], word))) continue;
      const bearing = cue === null ? 1 : bearingOf(cue.about, clause, at, name);
      if (bearing === 0) continue;
      phrase.forEach((_, n) => taken.add(at + n));
      if (cue === null) continue;
      const hit = weighed(cue, words.slice(Math.max(0, at - REACH), at), loud ? bearing * LOUD : bearing);
      if (hit) hits.push(hit);
    }
  }
  return hits.length > 0 ? hits : valencesIn(clause, name, taken);
}

function valencesIn(clause: Clause, name: string, taken: ReadonlySet<number>): Hit[] {
  const { words, loud } = clause;
  return words.flatMap((word, at) => {
    if (taken.has(at)) return [];
    for (const cue of valenceCues(word)) {
      // Of whom it may be said has to be plain: these are words of every kind.
      if (bearingOf(cue.about, clause, at, name) < 1) continue;
      return weighed(cue, words.slice(Math.max(0, at - REACH), at), loud ? LOUD : 1) ?? [];
    }
    return [];
  });
}

/** Cues by phrase, longest first, prepared once. Idle phrases stand among them, and are no cue. */
const PHRASES: readonly { cue: Cue | null; phrase: string[] }[] = [
  ...IDLE_PHRASES.map((words) => ({ cue: null, phrase: words.split(' ') })),
  ...CUES.flatMap((cue) => cue.words.map((words) => ({ cue, phrase: words.split(' ') }))),
].sort((one, other) => other.phrase.length - one.phrase.length);

function matches(word: string | undefined, pattern: string): boolean {
  if (word === undefined) return false;
  return pattern.endsWith('*') ? word.startsWith(pattern.slice(0, -1)) : word === pattern;
}

/** How much words at a place of a clause bear on whom the cue is about; 0 when they are about someone else. */
function bearingOf(about: Addressee, { words, asks }: Clause, at: number, name: string): number {
  if (about === 'anyone') return 1;
  if (about === 'speaker') return words.some((word) => MYSELF.has(word)) ? 1 : 0;
  if (about === 'thing') return isSaidOfThing(words, at) ? 1 : 0;
  if (about === 'companion') return isBare(words) || isSaidOfCompanion(words, at, name) ? 1 : 0;
  if (isSaidOfCompanion(words, at, name)) return 0;
  if (words.some((word) => SPEAKER.has(word))) return 1;
  // "Feeling low today" has no "I" and means it; "the film was sad" does not. Half is right half the time.
  // "Are you ever sad?" asks, and tells nothing.
  return asks ? 0 : 0.5;
}

/** Nothing but "brilliant" or "you idiot": said to the one who is there. */
function isBare(words: readonly string[]): boolean {
  const isSomeone = (word: string) => SPEAKER.has(word) || ADDRESSED.has(word) || PEOPLE.has(word);
  return words.length <= 3 && !words.some((word) => isSomeone(word) || COPULAS.has(word));
}

/** Is the word at `at` said of the companion? "You are kind", "your jokes are bad". Not "do you know a good film". */
function isSaidOfCompanion(words: readonly string[], at: number, name: string): boolean {
  return words.slice(0, at).some((word, index) => {
    if (CONTRACTED.has(word)) return at - index <= REACH + 1;
    if (!ADDRESSED.has(word) && word !== name) return false;
    if (index === 0 && at === 1) return true;
    const verb = words.findIndex((next, n) => n > index && n <= index + 2 && COPULAS.has(next));
    return verb !== -1 && at > verb && at - verb <= REACH + 1;
  });
}

/** Is the word at `at` said of a thing? "That film was great", "what a lovely day". Not "my sister is great". */
function isSaidOfThing(words: readonly string[], at: number): boolean {
  if (words[0] === 'what' && (words[1] === 'a' || words[1] === 'an')) return at <= REACH;
  const verb = words.findLastIndex((word, n) => n < at && (COPULAS.has(word) || word.endsWith("'s")));
  if (verb === -1 || at - verb > REACH + 1) return false;
  const subject = words.slice(0, verb + 1);
  const isPerson = subject.some((word) => ADDRESSED.has(word) || MYSELF.has(word) || PEOPLE.has(word));
  return !isPerson && subject.some((word) => POINTERS.has(word));
}

function weighed(cue: Cue, before: readonly string[], bearing: number): Hit | undefined {
  if (before.some((word) => WOULD.has(word))) return undefined;
  const meant = before.some((word) => NEGATIONS.has(word)) ? cue.negated : cue;
  if (!meant) return undefined;
  const boost = before.some((word) => BOOSTERS.has(word)) ? BOOST : 1;
  const damp = before.some((word) => DAMPERS.has(word)) ? DAMP : 1;
  return { kind: meant.kind, strength: Math.min(1, meant.weight * boost * damp * bearing) };
}

/** What a prospect becomes by its outcome. "It happened" is good or bad as the prospect was. */
const ENDINGS: Readonly<Record<'hope' | 'fear', Partial<Record<CueKind, ReadingKind>>>> = {
  hope: {
    'good-news': 'fulfilled',
    'likes-thing': 'fulfilled',
    happened: 'fulfilled',
    'bad-news': 'let-down',
    'dislikes-thing': 'let-down',
    'called-off': 'let-down',
  },
  fear: {
    'good-news': 'relief',
    'likes-thing': 'relief',
    'called-off': 'relief',
    'bad-news': 'come-true',
    'let-down': 'come-true',
    happened: 'come-true',
  },
};

/**
 * Puts a prospect and its outcome together: "I was scared of the exam but it went fine" is relief, and
 * neither fear nor good news alone. Only what the person speaks of as past is settled by what follows it.
 * That something happened or was called off is nothing without a prospect.
 */
function settled(clauses: readonly Clause[], hits: readonly Hit[][]): Reading[] {
  const read = hits.flatMap((inClause, place) => inClause.map((hit) => ({ ...hit, place })));
  for (const prospect of read) {
    if (prospect.kind !== 'hope' && prospect.kind !== 'fear') continue;
    if (!clauses[prospect.place]?.words.some((word) => PAST.has(word))) continue;
    for (const outcome of read.filter(({ place }) => place >= prospect.place)) {
      const ending = ENDINGS[prospect.kind][outcome.kind];
      if (ending === undefined) continue;
      outcome.kind = ending;
      outcome.strength = Math.max(outcome.strength, prospect.strength);
      prospect.strength = 0;
    }
  }
  return read.filter((hit): hit is Reading & { place: number } => hit.kind in READINGS && hit.strength > 0);
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
    .flatMap((quote) => readClauses(quote).clauses.flatMap((clause) => hitsIn(clause, name)))
    .filter(({ kind }) => kind === 'insult' || kind === 'hatred')
    .map(({ strength }) => ({ kind: 'bad-news' as const, strength }));
}
