import { type EpochFindings, present } from '@kith/contracts';
import type { CountTokens } from '@kith/llm';
import type { EarlierMessage, KeptLine } from '../conversations/talk.js';
import { findUnanswered, makeProbes, MIN_PROBED_RATE, type Probe } from './make-probes.js';
import { rateLine } from './rate-line.js';
import { wordsTold } from './words-told.js';

/** Shares of the talk's tokens; the rest is for what is said until the next epoch. */
const TAIL_SHARE = 0.32;
const SNAPSHOT_SHARE = 0.39;
/** Share of the snapshot that facts may take. The rest is for sentences. */
const FACTS_SHARE = 0.85;
/** Share for lines that the check finds missing. */
const ADDED_SHARE = 0.05;
/** Share of the tail if the snapshot fails its check twice. */
const LONGER_TAIL_SHARE = 0.38;
/** Tokens of a line beside its words: role and separators in the tail; in the snapshot, a dash and part of a day's heading. */
const LINE_TOKENS = 4;
/** Tokens of a fact beside its words: it shares its speaker and its day with others. */
const FACT_TOKENS = 2;
/** Weight that the newest line has over the oldest one: people rather ask about what was said later. */
const RECENCY = 0.75;
/** Rate below which nothing is kept, however much room there is: a greeting helps nobody. */
const MIN_RATE = 0.8;

/**
 * Plans the next epoch from all lines that this one tells. The newest lines stay whole, as its tail. Of the older ones, the
 * snapshot tells those of the highest weight in sentences, and others that may be asked about by their facts. Questions
 * with known answers check the plan: lines that answer what it misses are added, and if that is not enough, the tail gets
 * longer. The same lines give the same plan. Pure.
 * @param lines lines that are told now, oldest first
 * @param tokens for the talk, until the next epoch
 * @param asked further questions with known answers; those about lines of the tail are left out
 */
export function planSnapshot(
  lines: readonly EarlierMessage[],
  tokens: number,
  count: CountTokens,
  asked: readonly Probe[] = [],
) {
  const tailAt = tailStart(lines, tokens * TAIL_SHARE, count);
  if (tailAt === 0) return null;
  const before = lines.slice(0, tailAt);
  const words = wordsOnce();
  const costs = {
    fact: ({ text }: EarlierMessage) => count(words({ text, asFact: true })) + FACT_TOKENS,
    sentences: ({ text }: EarlierMessage) => count(words({ text, asFact: false })) + LINE_TOKENS,
  };
  const chosen = choose(before, tokens * SNAPSHOT_SHARE, words, costs);
  const byId = new Map(before.map((line) => [line.id, line]));
  const probes = [...makeProbes(before), ...asked.filter(({ lineId }) => byId.has(lineId))];
  const told = (from: number) =>
    findUnanswered(probes, keptOf(lines.slice(0, from), chosen), lines.slice(from), words);
  const missed = told(tailAt);
  const added = new Set<bigint>();
  let room = tokens * ADDED_SHARE;
  for (const probe of missed) {
    const { lineId } = probe;
    if (chosen.get(lineId) === 'sentences') continue;
    const line = present(byId.get(lineId));
    const fact = words({ ...line, asFact: true }).toLowerCase();
    const way = probe.words.every((word) => fact.includes(word)) ? 'fact' : 'sentences';
    if (chosen.get(lineId) === way) continue;
    const cost = costs[way](line);
    if (cost > room) continue;
    room -= cost;
    chosen.set(lineId, way);
    added.add(lineId);
  }
  const still = missed.length === 0 ? [] : told(tailAt);
  const longerTail = still.length > 0;
  const from = longerTail ? tailStart(lines, tokens * LONGER_TAIL_SHARE, count) : tailAt;
  const end = from === 0 ? tailAt : from;
  const kept = keptOf(lines.slice(0, end), chosen);
  const findings: EpochFindings = {
    lines: end,
    probes: probes.length,
    held: probes.length - missed.length,
    byModel: probes.filter(({ mark }) => mark === 'asked').length,
    added: added.size,
    missed: longerTail ? told(end).length : 0,
    longerTail,
  };
  return {
    tailFrom: present(lines[end]).id,
    // Lines that the snapshot tells, and those of them that it tells by their facts alone.
    kept: kept.map(({ id }) => id),
    facts: kept.flatMap(({ id, asFact }) => (asFact ? [id] : [])),
    findings,
  };
}

/** Makes a `wordsTold` that words each line once: a plan needs the words up to six times, which was most of its time. */
function wordsOnce(): typeof wordsTold {
  const known = { fact: new Map<string, string>(), sentences: new Map<string, string>() };
  return ({ text, asFact }) => {
    const way = known[asFact ? 'fact' : 'sentences'];
    const words = way.get(text) ?? wordsTold({ text, asFact });
    way.set(text, words);
    return words;
  };
}

function keptOf(
  lines: readonly EarlierMessage[],
  chosen: ReadonlyMap<bigint, 'fact' | 'sentences'>,
): KeptLine[] {
  return lines.flatMap((line) => {
    const way = chosen.get(line.id);
    return way ? [{ ...line, asFact: way === 'fact' }] : [];
  });
}

/** Finds the first line of the newest whole turns that fit; 0 if all do. The last turn stays, whatever its size. */
function tailStart(lines: readonly EarlierMessage[], room: number, count: CountTokens): number {
  let tokens = 0;
  let start = lines.length;
  for (const [at, line] of [...lines.entries()].reverse()) {
    tokens += count(line.text, line) + LINE_TOKENS;
    if (tokens > room && start < lines.length) return start;
    if (lines[at - 1]?.turnId !== line.turnId) start = at;
  }
  return 0;
}

/** Chooses the lines of the highest weight that fit: first by their facts, then in sentences while there is room. */
function choose(
  lines: readonly EarlierMessage[],
  room: number,
  words: typeof wordsTold,
  costs: Readonly<Record<'fact' | 'sentences', (line: EarlierMessage) => number>>,
): Map<bigint, 'fact' | 'sentences'> {
  const rated = lines
    .map((line, at) => {
      const rate = rateLine(line);
      return { line, rate, weight: rate + (RECENCY * at) / lines.length };
    })
    .sort((a, b) => b.weight - a.weight || (a.line.id < b.line.id ? -1 : 1));
  const chosen = new Map<bigint, 'fact' | 'sentences'>();
  const spent = new Map<bigint, number>();
  let left = room * FACTS_SHARE;
  for (const { line, rate } of rated) {
    if (rate < MIN_PROBED_RATE || words({ ...line, asFact: true }) === '') continue;
    const cost = costs.fact(line);
    if (cost > left) continue;
    left -= cost;
    chosen.set(line.id, 'fact');
    spent.set(line.id, cost);
  }
  left += room * (1 - FACTS_SHARE);
  for (const { line, weight } of rated) {
    if (weight < MIN_RATE) continue;
    const cost = costs.sentences(line) - (spent.get(line.id) ?? 0);
    if (cost > left) continue;
    left -= cost;
    chosen.set(line.id, 'sentences');
  }
  return chosen;
}
