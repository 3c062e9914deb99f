import type { Appraisal } from './appraisal.js';
import {
  type Addressee,
  BOOSTERS,
  type Cue,
  type CueKind,
  CUES,
  DAMPERS,
  NEGATIONS,
  READINGS,
} from './rules-lexicon.js';

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

const SPEAKER = new Set("i i'm im i've ive i'd i'll me my mine myself we we're we've our us".split(' '));
const CONTRACTED = new Set("you're youre ur you've".split(' '));
const ADDRESSED = new Set([...CONTRACTED, 'you', 'your', 'u']);
const COPULAS = new Set(
  "are were is was r be been look looks sound sounds seem seems really aren't weren't isn't".split(' '),
);

interface Clause {
  words: string[];
  loud: boolean;
}

interface Hit {
  kind: CueKind;
  strength: number;
}

/**
 * Reads what a person said by a lexicon with negation and intensity. Shallow and predictable: it stands in
 * when there is no model. Knows English only; other languages come out as nothing to feel.
 */
export function appraiseByRules(texts: readonly string[], companionName: string): Appraisal[] {
  const name = companionName.toLowerCase();
  const strongest = new Map<CueKind, number>();
  for (const clause of clausesOf(texts.join('\n').slice(0, MAX_CHARACTERS))) {
    for (const { kind, strength } of hitsIn(clause, name)) {
      strongest.set(kind, Math.max(strongest.get(kind) ?? 0, strength));
    }
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

function clausesOf(text: string): Clause[] {
  return text
    .replaceAll(/[’‘`]/g, "'")
    .split(/(?<=[.!?;\n…]+)|,|\s(?=but\s)|\s(?=however\s)/u)
    .map((part) => ({
      words: part.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [],
      loud: part.includes('!') || (/\p{Lu}{4,}/u.test(part) && part === part.toUpperCase()),
    }))
    .filter(({ words }) => words.length > 0);
}

/** The clause's cues, the longest phrase first: a word belongs to one cue, so "hate you" is no "hate". */
function hitsIn({ words, loud }: Clause, name: string): Hit[] {
  const taken = new Set<number>();
  const hits: Hit[] = [];
  for (const { cue, phrase } of PHRASES) {
    for (let at = 0; at + phrase.length <= words.length; at += 1) {
      if (!phrase.every((word, n) => !taken.has(at + n) && matches(words[at + n], word))) continue;
      const bearing = bearingOf(cue.about, words, at, name);
      if (bearing === 0) continue;
      phrase.forEach((_, n) => taken.add(at + n));
      const hit = weighed(cue, words.slice(Math.max(0, at - REACH), at), loud ? bearing * LOUD : bearing);
      if (hit) hits.push(hit);
    }
  }
  return hits;
}

/** Cues by phrase, longest first, prepared once. */
const PHRASES: readonly { cue: Cue; phrase: string[] }[] = CUES.flatMap((cue) =>
  cue.words.map((words) => ({ cue, phrase: words.split(' ') })),
).sort((one, other) => other.phrase.length - one.phrase.length);

function matches(word: string | undefined, pattern: string): boolean {
  if (word === undefined) return false;
  return pattern.endsWith('*') ? word.startsWith(pattern.slice(0, -1)) : word === pattern;
}

/** How much words at a place of a clause bear on whom the cue is about; 0 when they are about someone else. */
function bearingOf(about: Addressee, words: readonly string[], at: number, name: string): number {
  if (about === 'anyone') return 1;
  const ofCompanion = isSaidOfCompanion(words, at, name);
  if (about === 'companion') return ofCompanion ? 1 : 0;
  if (ofCompanion) return 0;
  // "Feeling low today" has no "I" and means it; "the film was sad" does not. Half is right half the time.
  return words.some((word) => SPEAKER.has(word)) ? 1 : 0.5;
}

/**
 * Is the word at `at` said of the companion? "You are kind", "your jokes are bad", "you idiot", or a bare
 * "brilliant", said to the one who is there. Not "do you know a good film".
 */
function isSaidOfCompanion(words: readonly string[], at: number, name: string): boolean {
  const isBare = words.length <= 3 && !words.some((word) => SPEAKER.has(word) || ADDRESSED.has(word));
  if (isBare) return true;
  return words.slice(0, at).some((word, index) => {
    if (CONTRACTED.has(word)) return at - index <= REACH + 1;
    if (!ADDRESSED.has(word) && word !== name) return false;
    if (index === 0 && at === 1) return true;
    const verb = words.findIndex((next, n) => n > index && n <= index + 2 && COPULAS.has(next));
    return verb !== -1 && at > verb && at - verb <= REACH + 1;
  });
}

function weighed(cue: Cue, before: readonly string[], bearing: number): Hit | undefined {
  const meant = before.some((word) => NEGATIONS.has(word)) ? cue.negated : cue;
  if (!meant) return undefined;
  const boost = before.some((word) => BOOSTERS.has(word)) ? BOOST : 1;
  const damp = before.some((word) => DAMPERS.has(word)) ? DAMP : 1;
  return { kind: meant.kind, strength: Math.min(1, meant.weight * boost * damp * bearing) };
}
