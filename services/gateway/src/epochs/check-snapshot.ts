import type { EarlierMessage } from '../conversations/read-talk.js';
import type { Probe } from './make-probes.js';
import { tellLine } from './snapshot-block.js';

/** Puts probes to what a prompt would tell: its snapshot's lines, and the tail. Returns those it can not answer. Pure. */
export function unanswered(
  probes: readonly Probe[],
  kept: readonly Pick<EarlierMessage, 'name' | 'text'>[],
  tail: readonly Pick<EarlierMessage, 'name' | 'text'>[],
): Probe[] {
  const told = [...kept.map(tellLine), ...tail.map(({ name, text }) => `- ${name}: ${text}`)].map((line) =>
    line.toLowerCase(),
  );
  return probes.filter(({ speaker, words }) => {
    const by = `- ${speaker.toLowerCase()}: `;
    return !told.some((line) => line.startsWith(by) && words.every((word) => line.includes(word)));
  });
}
