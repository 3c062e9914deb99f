import { firstOf, HOUR_MS, lastOf, type Audience, canHear, type ReadTurn } from '@kith/contracts';
import { readWords } from '@kith/lexical-embedding';
import { textForRules, wordSet } from '@kith/reading';
import { isOrderWord } from '../persona/order-words.js';

/** Lines that one side said and the other laughed at. */
export interface LaughedAt {
  saidBy: 'person' | 'companion';
  /** Its short sentences. */
  lines: string[];
  /** The turn it was said in. */
  turn: SpokenTurn;
}

// Laughter a quarter of an hour later is about something else.
const LAUGHS_WITHIN_MS = 15 * 60_000;
// A joke is a phrase. A longer text is a story, of which no single sentence is the joke.
const MAX_WORDS_OF_LINE = 14;
/** The laughter is about the end of what was said. */
const MAX_LINES = 3;

/**
 * Finds the lines that were laughed at in a turn: the person's, where the companion's answer laughs, and the companion's
 * of the turn before, where the person begins with laughter.
 * @param before their turn before it; null where there is none
 */
export function findLaughedAt(turn: SpokenTurn, before: SpokenTurn | null): LaughedAt[] {
  const own = saidBy(turn, 'person');
  const isAnsweredByLaughter = saidBy(turn, 'companion').some((text) => LAUGHTER.test(text));
  const found: LaughedAt[] = [];
  if (isAnsweredByLaughter) found.push({ saidBy: 'person', lines: shortLines(own), turn });
  if (before && beginsWithLaughter(turn) && follows(turn, before)) {
    found.push({ saidBy: 'companion', lines: shortLines(saidBy(before, 'companion')), turn: before });
  }
  return found.filter(({ lines }) => lines.length > 0);
}

/** Tells whether the person's first line laughs. Only then does the turn before matter. */
export function beginsWithLaughter(turn: SpokenTurn): boolean {
  const [first] = saidBy(turn, 'person');
  return first !== undefined && LAUGHTER.test(first);
}

function follows(turn: SpokenTurn, before: SpokenTurn): boolean {
  return turn.conversationId === before.conversationId && turn.at - before.at <= LAUGHS_WITHIN_MS;
}

/** Returns the last short sentences that do not laugh themselves. */
function shortLines(texts: readonly string[]): string[] {
  return texts
    .flatMap((text) => text.split(/[.!?…\n]+/u))
    .map((line) => line.trim())
    .filter((line) => wordsOf(line).length <= MAX_WORDS_OF_LINE && runsOf(wordsOf(line)).length > 0)
    .slice(-MAX_LINES);
}

/** Laughter as people type it. */
const LAUGHTER = /\b(?:a?(?:ha){2,}h?|(?:he){2,}|(?:hi){2,}|lol|lmao|rofl|lmfao)\b|[😂🤣😆😹]/iu;
/** Most words of a phrase: a longer one is hardly repeated word for word. */
const MAX_WORDS = 6;
const MAX_CHARACTERS = 60;
/** A single word comes back by chance, and so do two that everybody says. */
const MIN_TELLING = 2;

/** Everyday words: a phrase of these alone is no joke that came back. */
const PLAIN =
  wordSet(`today tomorrow yesterday tonight morning evening night week weekend month year time day days work home really
  maybe please sorry happy thing something anything nothing everything going looking feel feeling love like nice
  little better best right sure people person talk talking tell told said think thought need want hope`);

/** Returns the messages of a turn in the form in which phrases are looked for. */
export function formsSaidIn(turn: SpokenTurn): string[] {
  return turn.messages.map(({ text }) => ` ${wordsOf(textForRules(text)).map(formOf).join(' ')} `);
}

/**
 * Finds the longest phrase of these lines that was said again; null when none is distinctive enough.
 * @param said messages as `formsSaidIn` returns them
 */
export function phraseThatReturned(lines: readonly string[], said: readonly string[]): string | null {
  const runs = lines.flatMap((line) => runsOf(wordsOf(line)));
  return (
    runs
      .filter((run) => said.some((text) => text.includes(` ${run.map(formOf).join(' ')} `)))
      .map((run) => run.join(' '))
      .toSorted((one, other) => other.length - one.length)[0] ?? null
  );
}

/** Returns the runs of words that would tell which joke it is, with a distinctive word at either end. */
function runsOf(words: readonly string[]): string[][] {
  const weighed = words.map(weigh);
  const runs: string[][] = [];
  for (let start = 0; start < words.length; start += 1) {
    for (let end = start + MIN_TELLING; end <= Math.min(words.length, start + MAX_WORDS); end += 1) {
      const run = weighed.slice(start, end);
      if (isTelling(run)) runs.push(run.map(({ word }) => word));
    }
  }
  return runs;
}

interface WeighedWord {
  word: string;
  /** True for a distinctive word. */
  tells: boolean;
  /** True where no phrase may contain it. */
  isBarred: boolean;
}

function weigh(word: string): WeighedWord {
  const form = word.toLowerCase();
  return {
    word,
    tells: word.length > 3 && !PLAIN.has(form) && !isStopWord(word),
    isBarred: isOrderWord(form) || LAUGHTER.test(word),
  };
}

function isTelling(run: readonly WeighedWord[]): boolean {
  return (
    firstOf(run).tells &&
    lastOf(run).tells &&
    run.filter(({ tells }) => tells).length >= MIN_TELLING &&
    run.map(({ word }) => word).join(' ').length <= MAX_CHARACTERS &&
    !run.some(({ isBarred }) => isBarred)
  );
}

function isStopWord(word: string): boolean {
  return readWords(word).every((read) => read.isStopWord);
}

/** Returns the words, of letters and figures alone: no markup comes with a phrase. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu) ?? [];
}

function formOf(word: string): string {
  return word.toLowerCase().replaceAll('’', "'");
}

/** Tells whether one time is on a later day than the other, with a night between them. */
export function isLaterDay(at: number, laughedAt: number): boolean {
  const nightMs = 6 * HOUR_MS;
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  return at - laughedAt >= nightMs && dayOf(at) > dayOf(laughedAt);
}

/** A turn of a person with the companion. Never of private talk. */
export interface SpokenTurn extends Pick<ReadTurn, 'turnId' | 'conversationId' | 'audience'> {
  /** Its end, in milliseconds since the epoch. */
  at: number;
  messages: readonly Pick<ReadTurn['messages'][number], 'role' | 'text' | 'externalId'>[];
}

/** Returns the texts of one side, ready for rules. */
function saidBy({ messages }: SpokenTurn, who: 'person' | 'companion'): string[] {
  return messages.filter(({ role }) => role === who).map(({ text }) => textForRules(text));
}

/** Returns the ids that the door gave the turn's messages. */
export function messagesOf({ messages }: SpokenTurn): string[] {
  return messages.flatMap(({ externalId }) => (externalId === null ? [] : [externalId]));
}

/** Returns the audience that may hear of something that two audiences heard a part of. */
export function commonAudience(one: Audience, other: Audience): Audience {
  return canHear(one, other) && canHear(other, one) ? one : 'direct';
}
