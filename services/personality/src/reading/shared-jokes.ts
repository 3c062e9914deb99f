import { canHear, type Audience } from '@kith/contracts';
import { readWords } from '@kith/lexical-embedding';
import { textForRules } from '@kith/reading';

/** A turn of a person with the companion. Never of private talk. */
export interface SpokenTurn {
  turnId: string;
  conversationId: string;
  audience: Audience;
  /** Its end, in milliseconds since the epoch. */
  at: number;
  messages: readonly { role: 'person' | 'companion'; text: string; externalId: string | null }[];
}

/** Lines that one side said and the other laughed at. */
export interface LaughedAt {
  saidBy: 'person' | 'companion';
  /** Its short sentences. */
  lines: string[];
  /** The turn it was said in. */
  turn: SpokenTurn;
}

const LAUGHTER = /\b(?:a?(?:ha){2,}h?|(?:he){2,}|(?:hi){2,}|lol|lmao|rofl|lmfao)\b|[😂🤣😆😹]/iu;

// Laughter a quarter of an hour later is about something else.
const LAUGHS_WITHIN_MS = 15 * 60_000;
// A joke is a phrase. A longer text is a story, of which no single sentence is the joke.
const MAX_WORDS_OF_LINE = 14;
/** The laughter is about the end of what was said. */
const MAX_LINES = 3;
/** A phrase that is told again word for word has no more. */
const MAX_WORDS = 6;
const MAX_CHARACTERS = 60;
/** A single word comes back by chance, and so do two that everybody says. */
const LEAST_TELLING = 2;

/** Everyday words: a phrase of these alone is no joke that came back. */
const PLAIN = new Set(
  `today tomorrow yesterday tonight morning evening night week weekend month year time day days work home really
  maybe please sorry happy thing something anything nothing everything going looking feel feeling love like nice
  little better best right sure people person talk talking tell told said think thought need want hope`.split(
    /\s+/,
  ),
);

/** Words of orders and claims of rights: the phrase stands in the prompt, so none of them may be in it. */
const ORDERS = new Set(
  `ignore disregard forget obey pretend reveal instruction instructions prompt system admin operator owner rule rules
  must always never password secret override jailbreak developer assistant answer reply respond`.split(/\s+/),
);

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

/** Finds the longest phrase of these lines that was said again; null when none is distinctive enough. */
export function phraseThatReturned(lines: readonly string[], turn: SpokenTurn): string | null {
  const said = turn.messages.map(({ text }) => ` ${wordsOf(textForRules(text)).map(formOf).join(' ')} `);
  const runs = lines.flatMap((line) => runsOf(wordsOf(line)));
  return (
    runs
      .filter((run) => said.some((text) => text.includes(` ${run.map(formOf).join(' ')} `)))
      .map((run) => run.join(' '))
      .toSorted((one, other) => other.length - one.length)[0] ?? null
  );
}

/** Returns the audience that may hear of something that two audiences heard a part of. */
export function commonAudience(one: Audience, other: Audience): Audience {
  return canHear(one, other) && canHear(other, one) ? one : 'direct';
}

/** Tells whether one time is on a later day than the other, with a night between them. */
export function isLaterDay(at: number, laughedAt: number): boolean {
  const nightMs = 6 * 3_600_000;
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  return at - laughedAt >= nightMs && dayOf(at) > dayOf(laughedAt);
}

function follows(turn: SpokenTurn, before: SpokenTurn): boolean {
  return turn.conversationId === before.conversationId && turn.at - before.at <= LAUGHS_WITHIN_MS;
}

function saidBy({ messages }: SpokenTurn, who: 'person' | 'companion'): string[] {
  return messages.filter(({ role }) => role === who).map(({ text }) => textForRules(text));
}

/** Returns the last short sentences that do not laugh themselves. */
function shortLines(texts: readonly string[]): string[] {
  return texts
    .flatMap((text) => text.split(/[.!?…\n]+/u))
    .map((line) => line.trim())
    .filter((line) => wordsOf(line).length <= MAX_WORDS_OF_LINE && runsOf(wordsOf(line)).length > 0)
    .slice(-MAX_LINES);
}

/** Returns the runs of words that would tell which joke it is, with a distinctive word at either end. */
function runsOf(words: readonly string[]): string[][] {
  const runs: string[][] = [];
  for (let start = 0; start < words.length; start += 1) {
    for (let end = start + LEAST_TELLING; end <= Math.min(words.length, start + MAX_WORDS); end += 1) {
      const run = words.slice(start, end);
      if (isTelling(run)) runs.push(run);
    }
  }
  return runs;
}

function isTelling(run: readonly string[]): boolean {
  const telling = (word: string) => word.length > 3 && !PLAIN.has(word.toLowerCase()) && !isStopWord(word);
  return (
    telling(run[0]!) &&
    telling(run.at(-1)!) &&
    run.filter(telling).length >= LEAST_TELLING &&
    run.join(' ').length <= MAX_CHARACTERS &&
    !run.some((word) => ORDERS.has(word.toLowerCase()) || LAUGHTER.test(word))
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
