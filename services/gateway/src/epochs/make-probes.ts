import type { EarlierMessage } from '../conversations/read-talk.js';
import { tellingWords } from '../forgetting/find-quotes.js';
import { plainName } from '../safety/prompt-text.js';
import { MARKS, marksIn, rateLine, type Mark } from './rate-line.js';

/** Question with a known answer: who said it, and the words without which it is not answered. */
export interface Probe {
  lineId: bigint;
  mark: Mark;
  speaker: string;
  /** In lower case. */
  words: string[];
}

/** Probes of one snapshot: a few of each mark, and a check of some milliseconds. */
const MAX_PROBES = 48;
/** Least rate of a line that is asked after: a mark, and something that it is about. */
const MIN_RATE = 2;
/** Words beside the mark: fewer fit other lines, more ask for the whole sentence. */
const WORDS_BESIDE = 2;

/**
 * Makes questions with known answers of lines that are about to leave the prompt, the weightiest of each mark first:
 * promises, tasks, dates, numbers, names, negations, and of each who said it. Pure.
 */
export function makeProbes(lines: readonly Pick<EarlierMessage, 'id' | 'role' | 'name' | 'text'>[]): Probe[] {
  const rated = lines
    .map((line) => ({ line, rate: rateLine(line) }))
    .filter(({ rate }) => rate >= MIN_RATE)
    .sort((a, b) => b.rate - a.rate || (a.line.id < b.line.id ? -1 : 1));
  const queues = (Object.keys(MARKS) as Mark[]).map((mark) =>
    rated.filter(({ line }) => marksIn(line.text).includes(mark)).map(({ line }) => probeOf(line, mark)),
  );
  const probes: Probe[] = [];
  for (let round = 0; probes.length < MAX_PROBES && queues.some((queue) => round < queue.length); round++) {
    for (const queue of queues) {
      const probe = queue[round];
      if (probe && probes.length < MAX_PROBES) probes.push(probe);
    }
  }
  return probes;
}

function probeOf({ id, name, text }: Pick<EarlierMessage, 'id' | 'name' | 'text'>, mark: Mark): Probe {
  const sentence = text.split(/(?<=[.!?…\n]) ?/u).find((part) => MARKS[mark].test(part)) ?? text;
  const found = MARKS[mark].exec(sentence);
  const answer = (found?.[1] ?? found?.[0] ?? '').toLowerCase();
  const beside = [...tellingWords(sentence)]
    .filter((word) => !answer.includes(word))
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .slice(0, WORDS_BESIDE);
  return { lineId: id, mark, speaker: plainName(name), words: [answer, ...beside].filter(Boolean) };
}
