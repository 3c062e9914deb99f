import type { EarlierMessage, KeptLine } from '../conversations/talk.js';
import { speakerOf } from '../safety/speaker-labels.js';
import type { Probe } from './make-probes.js';
import { wordsTold } from './snapshot-block.js';

/**
 * Finds the probes that a prompt with these kept lines and this tail could not answer. Pure.
 * @param wordsOf words by which a snapshot tells a kept line
 */
export function findUnanswered(
  probes: readonly Probe[],
  kept: readonly Pick<KeptLine, 'id' | 'role' | 'name' | 'personId' | 'text' | 'asFact'>[],
  tail: readonly Pick<EarlierMessage, 'id' | 'role' | 'name' | 'personId' | 'text'>[],
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
