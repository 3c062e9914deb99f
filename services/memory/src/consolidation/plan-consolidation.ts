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

/** A day's reflection for one audience, before it is written. */
export interface ReflectionPlan {
  audience: string;
  /** The day's most important statements, in the order they were said. */
  statements: { text: string; saidAt: Date }[];
  sources: string[];
  importance: number;
}

interface ConsolidationPlan {
  merges: Merge[];
  reflections: ReflectionPlan[];
}

/** Share of common words from which two statements count as one, when neither negates or counts otherwise. */
const SAME_STATEMENT = 0.85;
/** "ok then" and "ok thanks" are too short to be told apart by their words. */
const MIN_WORDS_TO_MERGE = 4;
/** Statements of a day from which it is summed up. */
const MIN_EPISODES_TO_REFLECT = 3;
/** Statements that a reflection quotes: it is read in a prompt beside others. */
const MAX_STATEMENTS = 6;

/**
 * Plans a person's day with a companion. Only what has one and the same audience meets: a merged memory and a
 * reflection are heard by exactly those who could hear their sources.
 */
export function planConsolidation(episodes: Episode[]): ConsolidationPlan {
  const plan: ConsolidationPlan = { merges: [], reflections: [] };
  const told = inOrder(episodes);
  for (const audience of new Set(told.map((episode) => episode.audience))) {
    const groups = groupSame(told.filter((episode) => episode.audience === audience));
    for (const group of groups) if (group.length > 1) plan.merges.push(mergeOf(group));
    if (groups.length >= MIN_EPISODES_TO_REFLECT) plan.reflections.push(reflectOn(audience, groups));
  }
  return plan;
}

function inOrder(episodes: Episode[]): Episode[] {
  return [...episodes].sort((a, b) => a.saidAt.getTime() - b.saidAt.getTime() || (a.id < b.id ? -1 : 1));
}

function groupSame(episodes: Episode[]): Episode[][] {
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
function fullest(group: Episode[]): Episode {
  return group.reduce((best, each) => (each.text.length > best.text.length ? each : best));
}

function mergeOf(group: Episode[]): Merge {
  const keep = fullest(group);
  return {
    keepId: keep.id,
    removeIds: group.filter(({ id }) => id !== keep.id).map(({ id }) => id),
    saidAt: new Date(Math.max(...group.map(({ saidAt }) => saidAt.getTime()))),
    importance: Math.max(...group.map(({ importance }) => importance)),
  };
}

function reflectOn(audience: string, groups: Episode[][]): ReflectionPlan {
  const weighed = groups
    .map((group) => ({
      said: fullest(group),
      sources: group.flatMap(({ sources }) => sources),
      weight: mergeOf(group).importance,
    }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_STATEMENTS);
  return {
    audience,
    statements: weighed
      .map(({ said }) => ({ text: said.text, saidAt: said.saidAt }))
      .sort((a, b) => a.saidAt.getTime() - b.saidAt.getTime()),
    sources: [...new Set(weighed.flatMap(({ sources }) => sources))].sort(),
    importance: weighed.reduce((sum, { weight }) => sum + weight, 0) / weighed.length,
  };
}
