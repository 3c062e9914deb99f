import { present } from '@kith/contracts/present';
import {
  type Clause,
  readClauses,
  textForRules,
  DEFAULT_LANGUAGE,
  detectLanguage,
  wordsOfLanguage,
  wordSet,
} from '@kith/reading';
import type { Appraisal } from '../../affect/appraisal.js';
import { type OpenProspects, NOTHING_AHEAD, type ReadEvent } from '../../affect/prospect.js';
import { ADDRESSED, type Roles, readRoles } from './read-roles.js';
import { readEndings } from './read-endings.js';
import { OUTCOMES, type Reading, type Hit } from './endings.js';
import { type CueKind, type ReadingKind, READINGS } from './rules-lexicon.js';
import { adjustReadings } from './adjust-readings.js';
import { findReported } from './find-reported.js';
import { hitsIn } from './hits-in.js';
import { phrasesIn, placesOf } from './phrases-in.js';
import { turnMockery } from './turn-mockery.js';
import { valenceOf } from './valence-of.js';
import { isKnownVerb } from './word-classes.js';

/** A turn has one or two points; more readings than this would be counting words. */
const MAX_READINGS = 3;

/** A burst longer than this is read by its beginning: rules must stay cheap whatever is pasted. */
const MAX_CHARACTERS = 8_000;

/** An outcome is told within the first few sentences. */
const MAX_ABOUT_AHEAD = 2_000;

/** Nothing but hearts and kisses, fingers, or tears with a broken heart, which need no language. */
const SIGNS: readonly [ReadingKind, RegExp][] = [
  ['affection', /^(?:\s|<3+|(?:[❤♥💓💕💖💗💘💙💚💛💜💝💞🖤🤍🧡🥰😘😍]|😻)\uFE0F?)+$/u],
  ['insult', /^(?:\s|🖕[🏻-🏿]?)+$/u],
  // Somebody who only weeps may as well laugh.
  ['bad-news', /^(?=.*[💔😢😞😔😥])(?:\s|[💔😢😞😔😥🥺😭])+$/u],
];
/** A sign is sent more easily than the words. */
const BY_SIGNS = 0.6;

/**
 * Reads what a person said by a lexicon with negation, intensity, and prospects that are settled in the same
 * breath. Shallow and predictable: it stands in when there is no model. Knows English only; other languages
 * come out as nothing to feel.
 */
export function appraiseByRules(
  texts: readonly string[],
  companionName: string,
  ahead: OpenProspects = NOTHING_AHEAD,
): ReadEvent[] {
  const name = companionName.toLowerCase();
  const said = textForRules(texts.join('\n'), MAX_CHARACTERS);
  const sign = SIGNS.find(([, signs]) => signs.test(said));
  if (sign) return [scaledReading(READINGS[sign[0]], BY_SIGNS)];
  if (!mayBeEnglish(said)) return [];
  const { clauses, quotes } = readClauses(said);
  const roles = rolesInTurn(clauses, name);
  const read = clauses.map((clause, n) => hitsIn(clause, present(roles[n])));
  const found = turnMockery(read, clauses, roles);
  const isHurtful = ({ kind }: Hit) => HURTFUL.has(kind);
  const reported = findReported(
    clauses,
    found.map((hits) => hits.some(isHurtful)),
  );
  const end = found.findLast((all) => all.some(({ kind }) => NEWS.has(kind)));
  const hits = found.map((all, n) => {
    const own = reported[n] ? all.filter((hit) => !isHurtful(hit)) : all;
    const butWeight = isQualified(clauses, n) ? BEFORE_BUT : 1;
    return own.map(({ kind, strength }) => {
      const newsWeight = end?.some((last) => last.kind === kind) ? 1 : BEFORE_OTHER_NEWS;
      return { kind, strength: strength * (NEWS.has(kind) ? newsWeight : butWeight) };
    });
  });
  const { read: told, settles } = readEndings(said.slice(0, MAX_ABOUT_AHEAD), clauses, hits, ahead);
  const meant = adjustReadings(told, clauses, said);
  const strongest = new Map<ReadingKind, number>();
  for (const { kind, strength } of [...meant, ...hurtByQuotes(quotes, clauses, name)]) {
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

/** Share of an opinion or a feeling before a "but" in the same sentence: what stands after it is the point. */
const BEFORE_BUT = 0.5;
/** Share of news before their opposite: of "she survived but lost her leg", the end counts a little more. */
const BEFORE_OTHER_NEWS = 0.9;
/** Readings of what happened, which no "but" makes less. */
const NEWS: ReadonlySet<CueKind> = new Set(['good-news', 'bad-news']);

function isQualified(clauses: readonly Clause[], n: number): boolean {
  const next = clauses[n + 1];
  return next?.words[0] === 'but' && next.sentence === clauses[n]?.sentence;
}

/** Readings of hurtful words: where another said them, they are no insult of the speaker's. */
const HURTFUL: ReadonlySet<CueKind> = new Set(['insult', 'hatred']);

/** Reads whom each clause is about, in order. */
function rolesInTurn(clauses: readonly Clause[], name: string): Roles[] {
  const roles: Roles[] = [];
  const isAddressed = clauses.some(({ words }) => words.some((word) => word === name || ADDRESSED.has(word)));
  for (const { words } of clauses) {
    const last = roles.findLast(({ subject }) => subject !== 'nobody')?.subject;
    const isAside = !isAddressed && last !== undefined && last !== 'speaker';
    const cry = words.includes(name) ? 'companion' : isAside ? 'thing' : undefined;
    roles.push({ ...readRoles(words, name, roles.at(-1)?.subject), cry });
  }
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

const SAYS = /^(?:said|says|told|tells|called|calls|calling|wrote|yelled|shouted|texted)$/u;

/** Reads hurtful words that are quoted as said to the person: bad news, and no insult to the companion. */
function hurtByQuotes(quotes: readonly string[], clauses: readonly Clause[], name: string): Reading[] {
  const words = clauses.flatMap((clause) => clause.words);
  const isToldOfThem =
    words.some((word) => word === 'me' || word === 'us') ||
    (words.includes('my') && !words.some((word) => /^(?:him|her|them|his|their)$/u.test(word)));
  if (!isToldOfThem || !words.some((word) => SAYS.test(word))) return [];
  return quotes
    .flatMap((quote) =>
      readClauses(quote).clauses.flatMap((clause) => hitsIn(clause, readRoles(clause.words, name))),
    )
    .filter(({ kind }) => HURTFUL.has(kind))
    .map(({ strength }) => ({ kind: 'bad-news' as const, strength }));
}

/** Words of another language from which a text is in it. One alone is often English as well: "war", "also", "dan", "tom". */
const SURE_WORDS = 2;

/** Verbs after an "i" that is English. "Do" is not one of them: in Polish, "i do" means "and to". */
const AFTER_I = wordSet(
  'am was have had got feel felt will would did can could should might must keep went made just really',
);

/** Tells whether rules for English may read a text: "die" and "war" are common words elsewhere. */
export function mayBeEnglish(text: string): boolean {
  const { language, also } = detectLanguage(text);
  // A capital "I" by itself is hardly ever another language's.
  if (language === DEFAULT_LANGUAGE || also.includes(DEFAULT_LANGUAGE) || /\bI\b/.test(text)) return true;
  // As written: expanded, a German "im" would become "I am".
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  if (words.some((word, n) => word === 'i' && isSaidOfI(words[n + 1])) || hasPhrase(words)) return true;
  const theirs = wordsOfLanguage(text, language);
  return theirs.size < SURE_WORDS && words.some((word) => !theirs.has(word) && valenceOf(word) !== 0);
}

function isSaidOfI(next = ''): boolean {
  return AFTER_I.has(next) || isKnownVerb(next);
}

function hasPhrase(words: readonly string[]): boolean {
  return phrasesIn(words).some(
    ({ cue, phrase, at }) => cue && phrase.length > 1 && placesOf(phrase, words, at, NONE_TAKEN),
  );
}

const NONE_TAKEN: ReadonlySet<number> = new Set();
