import { isNegation, readWords } from '@kith/reading';
import { wordsOf } from '../words/analyse-text.js';

/** An episode as consolidation sees it. */
export interface Episode {
  id: string;
  text: string;
  audience: string;
  importance: number;
  saidAt: Date;
  sources: string[];
}

/** Several episodes that say the same: one stays; the others may go. */
export interface Merge {
  keepId: string;
  removeIds: string[];
  saidAt: Date;
  importance: number;
}

/** Share of common words from which two statements count as one, when neither negates or counts otherwise. */
const SAME_STATEMENT = 0.85;
/** "ok then" and "ok thanks" are too short to be told apart by their words. */
const MIN_WORDS_TO_MERGE = 4;

export function inOrder(episodes: Episode[]): Episode[] {
  return [...episodes].sort((a, b) => a.saidAt.getTime() - b.saidAt.getTime() || (a.id < b.id ? -1 : 1));
}

/** Groups episodes that say the same. */
export function groupSame(episodes: Episode[]): Episode[][] {
  const groups: { fingerprint: Fingerprint; members: Episode[] }[] = [];
  for (const episode of episodes) {
    const fingerprint = fingerprintOf(episode.text);
    const group = groups.find((each) => saySame(each.fingerprint, fingerprint));
    if (group) group.members.push(episode);
    else groups.push({ fingerprint, members: [episode] });
  }
  return groups.map(({ members }) => members);
}

interface Fingerprint {
  words: Set<string>;
  /** Negations and numbers: where these differ, the statements do. */
  decisive: string;
}

function fingerprintOf(text: string): Fingerprint {
  const decisive = readWords(text.replaceAll('’', "'")).filter((word) => isNegation(word) || /\d/.test(word));
  return { words: new Set(wordsOf(text)), decisive: decisive.sort().join(' ') };
}

function saySame(a: Fingerprint, b: Fingerprint): boolean {
  if (a.decisive !== b.decisive) return false;
  if (Math.min(a.words.size, b.words.size) < MIN_WORDS_TO_MERGE) return false;
  const common = [...a.words].filter((word) => b.words.has(word)).length;
  return common / (a.words.size + b.words.size - common) >= SAME_STATEMENT;
}

/** The longest wording stays: it can only say more. */
export function fullest(group: Episode[]): Episode {
  return group.reduce((best, each) => (each.text.length > best.text.length ? each : best));
}

/** Plans how a group becomes one memory. */
export function mergeOf(group: Episode[]): Merge {
  const keep = fullest(group);
  return {
    keepId: keep.id,
    removeIds: group.filter(({ id }) => id !== keep.id).map(({ id }) => id),
    saidAt: new Date(Math.max(...group.map(({ saidAt }) => saidAt.getTime()))),
    importance: Math.max(...group.map(({ importance }) => importance)),
  };
}
