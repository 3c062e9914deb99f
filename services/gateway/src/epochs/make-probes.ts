import type { EarlierMessage, KeptLine } from '../conversations/talk.js';
import { speakerOf } from '../safety/speaker-labels.js';
import { MARKS, marksIn, rateLine, type LineMark } from './rate-line.js';
import { askedWords, wordsTold } from './words-told.js';

/** Question with a known answer: who said it, and the words without which it is not answered. */
export interface Probe {
  lineId: bigint;
  /** Kind of question; `asked`: the fast model chose it. */
  mark: LineMark | 'asked';
  /** As `speakerOf` tells: people may go by the same name. */
  speaker: string;
  /** In lower case. */
  words: string[];
}

/** Probes of one snapshot: about as many as a prompt of 8,000 tokens can answer. Checking them takes milliseconds. */
const MAX_PROBES = 480;
/** Lowest rate of a line that questions are made of: it has a mark and some content. */
export const MIN_PROBED_RATE = 2;

type ProbedLine = Pick<EarlierMessage, 'id' | 'role' | 'name' | 'personId' | 'text'>;

/**
 * Makes questions with known answers from lines that are about to leave the prompt: one mark after the other in rounds, each
 * mark's highest rated lines first. Pure.
 */
export function makeProbes(lines: readonly ProbedLine[], max = MAX_PROBES): Probe[] {
  const rated = lines
    .map((line) => ({ line, rate: rateLine(line) }))
    .filter(({ rate }) => rate >= MIN_PROBED_RATE)
    .sort((a, b) => b.rate - a.rate || (a.line.id < b.line.id ? -1 : 1))
    .map(({ line }) => ({ line, marks: marksIn(line.text) }));
  const queues = (Object.keys(MARKS) as LineMark[]).map((mark) =>
    rated.filter(({ marks }) => marks.includes(mark)).map(({ line }) => probeOf(line, mark)),
  );
  const probes: Probe[] = [];
  for (let round = 0; probes.length < max && queues.some((queue) => round < queue.length); round++) {
    for (const queue of queues) {
      const probe = queue[round];
      if (probe && probes.length < max) probes.push(probe);
    }
  }
  return probes;
}

function probeOf(line: ProbedLine, mark: LineMark): Probe {
  const { words } = askedWords(line.text, mark);
  return { lineId: line.id, mark, speaker: speakerOf(line), words };
}

/**
 * Finds the probes that a prompt with these kept lines and this tail could not answer. Pure.
 * @param wordsOf words by which a snapshot tells a kept line
 */
export function findUnanswered(
  probes: readonly Probe[],
  kept: readonly (ProbedLine & Pick<KeptLine, 'asFact'>)[],
  tail: readonly ProbedLine[],
  wordsOf = wordsTold,
): Probe[] {
  const told = [
    ...kept.map((line) => ({ line, words: wordsOf(line).toLowerCase() })),
    ...tail.map((line) => ({ line, words: line.text.toLowerCase() })),
  ];
  const byLine = new Map(told.map(({ line, words }) => [line.id, words]));
  const bySpeaker = Map.groupBy(told, ({ line }) => speakerOf(line));
  const answers = (words: string, probe: Probe) => probe.words.every((word) => words.includes(word));
  return probes.filter((probe) => {
    // Its own line first, which answers most probes.
    if (answers(byLine.get(probe.lineId) ?? '', probe)) return false;
    return !bySpeaker.get(probe.speaker)?.some(({ words }) => answers(words, probe));
  });
}
