import { readWords } from '@kith/lexical-embedding';
import { textForRules } from '@kith/reading';
import type { Appraisal } from './appraisal.js';
import { PEOPLE } from './rules-lexicon.js';
import { valenceOf } from './valence-words.js';

/** What somebody hopes for or fears, as they told it. */
export interface Prospect {
  id: string;
  /** The turn it was told in. */
  turnId: string;
  kind: 'hoped' | 'feared';
  /** Their words for it, a few. */
  about: string;
  /** How good it would be for the one it concerns; below zero where it is feared. */
  desirability: number;
  likelihood: number;
  /** Milliseconds since the epoch. */
  since: number;
}

/** An event as read in a turn, with what it has to do with prospects told before. */
export interface ReadEvent extends Appraisal {
  /** Of the prospects that were open, by its number from 1 on, the one that this settles. */
  settles?: number | undefined;
  /** Of a prospect: words for what is hoped or feared. */
  about?: string | undefined;
}

/** A prospect on its way into the record. */
export type NewProspect = Omit<Prospect, 'id' | 'turnId' | 'since'>;

/** What lay ahead of somebody when a turn was said. */
export interface Ahead {
  open: readonly Prospect[];
  /** Of the turn, in milliseconds since the epoch. */
  at: number;
}

/** Before anything was told. */
export const NOTHING_AHEAD: Ahead = { open: [], at: 0 };

/** What a turn's events come to, once they are held against what was hoped and feared before. */
export interface Weighed {
  appraisals: Appraisal[];
  /** The prospect behind each of the appraisals that settle one. */
  settled: ReadonlyMap<Appraisal, Prospect>;
  /** Every prospect that is over: those that were settled, and others about the same thing. */
  closed: string[];
  told: NewProspect[];
}

/** What nobody came back to in a quarter of a year is not waited for any more. */
export const OPEN_FOR_MS = 90 * 24 * 3_600_000;
/** More than this at once are moods and not prospects; the ones told longest ago go. */
export const MAX_OPEN = 12;
/** "I passed!" names nothing: within this time it is about the one thing that was ahead. */
const UNNAMED_WITHIN_MS = 14 * 24 * 3_600_000;

const MAX_ABOUT_CHARACTERS = 80;
/** Eight words are asked for: what is longer was not named as it was asked. */
const MOST_NAMED_CHARACTERS = 200;
/** So many telling words is a feeling worth, or an undertaking, in the same sentence. */
const COMPANY = 3;

/**
 * An outcome contrary to what was expected weighs in full, one that was sure by this much less: OCC's unexpectedness.
 */
const EXPECTED_LESS = 0.2;

/** Say when, or that it is hoped or told of, and not what. */
const PLAIN = new Set(
  `today tomorrow yesterday tonight morning evening night week weekend month year time day monday tuesday wednesday
  thursday friday saturday sunday january february march april may june july august september october november december
  hope hoping hoped fear feared afraid scared nervous anxious worried worry dread excited finally really just think
  thought feel feeling know going gonna want wish maybe result news happen happened come came get got went made thing
  something anything everything soon next last still actually after told said guess much very good great bad fine
  well better best work out cancelled called off postponed luck yes yeah omg nope turns turned`
    .split(/\s+/u)
    .flatMap(stems),
);

/** Words that tell of one kind of undertaking, or of how it ended: whoever had an exam ahead and passed, passed it. */
const TOPICS: readonly ReadonlySet<string>[] = [
  'exam test quiz final midterm theory driving licence course class pass passed fail failed flunk flunked ace aced grade score mark',
  'job interview position role company application hire hired offer accept accepted reject rejected candidate promotion promoted',
  'scan biopsy lump mri surgery operation doctor hospital checkup benign malignant cancer tumour tumor clear negative positive diagnosis',
  'flat apartment house landlord lease mortgage move keys',
  'race match game tournament final finals competition team win won lose lost goal beat',
].map((list) => new Set(list.split(' ').flatMap(stems)));

/**
 * Weighs what was read in a turn against the prospects that were open before it: an event that settles one becomes
 * its outcome, with what was at stake then, and what is newly hoped or feared is kept.
 */
export function weighProspects(
  texts: readonly string[],
  events: readonly ReadEvent[],
  open: readonly Prospect[],
): Weighed {
  const settled = new Map<Appraisal, Prospect>();
  const appraisals = events.map((event) => {
    const prospect = event.settles === undefined ? undefined : open[event.settles - 1];
    const outcome = prospect && outcomeOf(event, prospect);
    if (prospect && outcome) settled.set(outcome, prospect);
    return outcome ?? variablesOf(event);
  });
  const over = [...settled.values()];
  const closed = open.filter((one) =>
    over.some((other) => one === other || isSameThing(one.about, other.about)),
  );
  const known = open.filter((prospect) => !closed.includes(prospect));
  const said = texts.map((text) => textForRules(text));
  return { appraisals, settled, closed: closed.map(({ id }) => id), told: toldIn(said, events, known) };
}

/**
 * Which open prospect these words are about, by its number from 1 on: the one that shares most of its telling words
 * with them, or its kind of undertaking; or, where they name nothing, the only one told lately.
 */
export function findProspect(texts: readonly string[], { open, at }: Ahead): number | null {
  const said = texts.join('\n');
  const telling = tellingWords(said);
  const told = stems(said);
  const scores = open.map(({ about }) => kinship(telling, told, about));
  const best = Math.max(0, ...scores);
  if (best > 0) return scores.lastIndexOf(best) + 1;
  if ([...telling].some((word) => !TOPICS.some((topic) => topic.has(word)))) return null;
  const recent = open.filter(({ since }) => at - since <= UNNAMED_WITHIN_MS);
  const [only] = recent;
  return only && recent.every(({ about }) => isSameThing(about, only.about)) ? open.indexOf(only) + 1 : null;
}

/** The event as the outcome of a prospect; null where it is none, being still ahead or neither good nor bad. */
function outcomeOf(event: ReadEvent, { kind, desirability, likelihood }: Prospect): Appraisal | null {
  if (event.prospect === 'hoped' || event.prospect === 'feared') return null;
  if (event.desirability === 0) return null;
  const isHoped = kind === 'hoped';
  const isSo =
    event.prospect === 'none' ? event.desirability > 0 === isHoped : event.prospect === 'confirmed';
  const chance = (1 + likelihood) / 2;
  const expected = isSo ? chance : 1 - chance;
  const stake =
    Math.max(Math.abs(event.desirability), Math.abs(desirability)) * (1 - EXPECTED_LESS * expected);
  return {
    ...variablesOf(event),
    ...(event.target === 'object' && { target: 'other', appealingness: GOODWILL }),
    prospect: isSo ? 'confirmed' : 'disconfirmed',
    desirability: isHoped ? stake : -stake,
    likelihood,
  };
}

/** How well it wishes whoever told it what came of a thing. */
const GOODWILL = 0.6;

function variablesOf({ settles: _settles, about: _about, ...variables }: ReadEvent): Appraisal {
  return variables;
}

/** The strongest hope and the strongest fear of a turn that were not told before. */
function toldIn(
  texts: readonly string[],
  events: readonly ReadEvent[],
  known: readonly Prospect[],
): NewProspect[] {
  return (['hoped', 'feared'] as const).flatMap((kind) => {
    const [event] = events
      .filter(({ prospect, target }) => prospect === kind && target !== 'object')
      .toSorted((one, other) => Math.abs(other.desirability) - Math.abs(one.desirability));
    const about = event && wordsFor(texts, event.about);
    if (!event || !about) return [];
    if (known.some((before) => before.kind === kind && isSameThing(before.about, about))) return [];
    const size = Math.abs(event.desirability);
    return { kind, about, desirability: kind === 'hoped' ? size : -size, likelihood: event.likelihood };
  });
}

/**
 * Words for a prospect: those that were named, if they are all the person's, else their sentence that tells most of what
 * is felt, or of an undertaking. Who names them has read other people's turns, too: one word that this person did not
 * say may be somebody else's.
 */
function wordsFor(texts: readonly string[], named: string | undefined): string | null {
  const isShort = named !== undefined && named.length <= MOST_NAMED_CHARACTERS;
  if (isShort && tellingWords(named).size > 0 && isSaidIn(texts, named)) return shortened(named);
  const sentences = texts.flatMap((text) => text.split(/[.!?;…\n]+/u));
  const [most] = sentences
    .filter((sentence) => tellingWords(sentence).size > 0)
    .map((sentence) => ({ sentence, score: tellsOf(sentence) }))
    .toSorted((one, other) => other.score - one.score);
  return most ? shortened(most.sentence) : null;
}

function isSaidIn(texts: readonly string[], named: string): boolean {
  const said = new Set(stems(texts.join('\n')));
  return readWords(named).every(({ stem, isStopWord }) => isStopWord || said.has(stem));
}

/** How much a sentence tells of a prospect: by its telling words, and more by the company they keep. */
function tellsOf(sentence: string): number {
  const isFelt = readWords(sentence).some(({ form }) => Math.abs(valenceOf(form)) >= FELT_FROM);
  const isOfTopic = stems(sentence).some((stem) => TOPICS.some((topic) => topic.has(stem)));
  return tellingWords(sentence).size + (isFelt ? COMPANY : 0) + (isOfTopic ? COMPANY : 0);
}

/** Letters, figures and commas alone, up to the end of a word: no markup comes with it. */
function shortened(text: string): string {
  const plain = text
    .replaceAll(/[^\p{L}\p{N}'’,\s-]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  if (plain.length <= MAX_ABOUT_CHARACTERS) return plain;
  return plain.slice(0, plain.lastIndexOf(' ', MAX_ABOUT_CHARACTERS)).slice(0, MAX_ABOUT_CHARACTERS);
}

/** Are two prospects about one thing? */
function isSameThing(one: string, other: string): boolean {
  const words = subjectOf(other);
  return [...subjectOf(one)].some((word) => words.has(word));
}

/** How near words are to a prospect: one in common weighs more than the kind of undertaking. */
function kinship(telling: ReadonlySet<string>, told: readonly string[], about: string): number {
  const shared = [...subjectOf(about)].filter((word) => telling.has(word)).length;
  const ahead = stems(about);
  const isOf = (words: readonly string[], topic: ReadonlySet<string>) =>
    words.some((word) => topic.has(word));
  return shared + (TOPICS.some((topic) => isOf(told, topic) && isOf(ahead, topic)) ? 0.5 : 0);
}

/** What a prospect is about: people only where there is nothing else, for whom much else is told of. */
function subjectOf(about: string): ReadonlySet<string> {
  const all = tellingWords(about);
  const things = [...all].filter((stem) => !PERSONS.has(stem));
  return things.length > 0 ? new Set(things) : all;
}

const PERSONS = new Set([...PEOPLE].flatMap(stems));

/** The stems of words that say what something is about: none of time, of feeling or of every sentence. */
function tellingWords(text: string): Set<string> {
  const telling = readWords(text).filter(
    ({ form, stem, isStopWord }) =>
      !isStopWord && form.length > 2 && !PLAIN.has(stem) && Math.abs(valenceOf(form)) < FELT_FROM,
  );
  return new Set(telling.map(({ stem }) => stem));
}

/** A word of this valence says how it is, and not what. */
const FELT_FROM = 2;

function stems(text: string): string[] {
  return readWords(text).map(({ stem }) => stem);
}
