import { type SpokenTurn, saidBy } from './spoken-turn.js';
import { LAUGHTER, runsOf, wordsOf } from './phrase-that-returned.js';

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
