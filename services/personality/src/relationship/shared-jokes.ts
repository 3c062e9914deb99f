import { canHear, type Audience } from '@kith/contracts';
import { readWords } from '@kith/lexical-embedding';
import { textForRules } from '@kith/reading';

/** One turn of a person's with the companion, in its order. Never of private talk. */
export interface SpokenTurn {
  turnId: string;
  conversationId: string;
  audience: Audience;
  /** When it was over, in milliseconds since the epoch. */
  at: number;
  messages: readonly { role: 'person' | 'companion'; text: string; externalId: string | null }[];
}

/** Something that one side said and the other laughed at. */
export interface LaughedAt {
  saidBy: 'person' | 'companion';
  /** Its short sentences. */
  lines: string[];
  /** The turn it was said in. */
  turn: SpokenTurn;
}

const LAUGHTER = /\b(?:a?(?:ha){2,}h?|(?:he){2,}|(?:hi){2,}|lol|lmao|rofl|lmfao)\b|[😂🤣😆😹]/iu;

// Who laughs a quarter of an hour later laughs at something else.
const LAUGHS_WITHIN_MS = 15 * 60_000;
// A joke is a phrase. What is longer is a story, of which no single sentence is the joke.
const MOST_WORDS_OF_LINE = 14;
const MOST_LINES = 3;
const MOST_WORDS = 6;
const MOST_CHARACTERS = 60;
/** One word alone comes back by chance, and so do two that everybody says. */
const LEAST_TELLING = 2;

/** Said every day and about nothing: alone they are no joke that came back. */
const PLAIN = new Set(
  `today tomorrow yesterday tonight morning evening night week weekend month year time day days work home really
  maybe please sorry happy thing something anything nothing everything going looking feel feeling love like nice
  little better best right sure people person talk talking tell told said think thought need want hope`.split(
    /\s+/,
  ),
);

/** The phrase stands in the prompt: none that could be read as an order, or a claim of rights, becomes one. */
const ORDERS = new Set(
  `ignore disregard forget obey pretend reveal instruction instructions prompt system admin operator owner rule rules
  must always never password secret override jailbreak developer assistant answer reply respond`.split(/\s+/),
);

/**
 * What was laughed at in a turn: the person's words, where the companion's answer laughs, and the companion's answer
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

/** Does the person's first line laugh? Only then does the turn before matter. */
export function beginsWithLaughter(turn: SpokenTurn): boolean {
  const [first] = saidBy(turn, 'person');
  return first !== undefined && LAUGHTER.test(first);
}

/** The longest run of words that stands in one of these lines and was said again; null when none tells enough. */
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

/** Who may hear of something that two audiences heard a part of. */
export function commonAudience(one: Audience, other: Audience): Audience {
  return canHear(one, other) && canHear(other, one) ? one : 'direct';
}

/** Is one of them on a later day than the other, with a night between? */
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

/** The last short sentences of what was said, without laughter of their own. */
function shortLines(texts: readonly string[]): string[] {
  return texts
    .flatMap((text) => text.split(/[.!?…\n]+/u))
    .map((line) => line.trim())
    .filter((line) => wordsOf(line).length <= MOST_WORDS_OF_LINE && runsOf(wordsOf(line)).length > 0)
    .slice(-MOST_LINES);
}

/** Runs of words that would tell which joke it is, with a telling word at either end. */
function runsOf(words: readonly string[]): string[][] {
  const runs: string[][] = [];
  for (let start = 0; start < words.length; start += 1) {
    for (let end = start + LEAST_TELLING; end <= Math.min(words.length, start + MOST_WORDS); end += 1) {
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
    run.join(' ').length <= MOST_CHARACTERS &&
    !run.some((word) => ORDERS.has(word.toLowerCase()) || LAUGHTER.test(word))
  );
}

function isStopWord(word: string): boolean {
  return readWords(word).every((read) => read.isStopWord);
}

/** Letters and figures alone: no markup comes with a phrase. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu) ?? [];
}

function formOf(word: string): string {
  return word.toLowerCase().replaceAll('’', "'");
}
