import type { EpochFindings } from '@kith/contracts';
import type { CountTokens } from '@kith/llm';
import type { EarlierMessage } from '../conversations/read-talk.js';
import { unanswered } from './check-snapshot.js';
import { makeProbes } from './make-probes.js';
import { rateLine } from './rate-line.js';
import { tellLine } from './snapshot-block.js';

/** Beginning of an epoch. */
export interface SnapshotPlan {
  tailFrom: bigint;
  kept: bigint[];
  findings: EpochFindings;
}

/** Shares of a prompt's tokens; the rest is for persona, memories and what is said until the next epoch. */
const TAIL_SHARE = 0.3;
const SNAPSHOT_SHARE = 0.24;
/** Room for what the check finds missing. */
const ADDED_SHARE = 0.06;
/** Tail of a snapshot that failed twice. */
const LONGER_TAIL_SHARE = 0.4;
/** Tokens of a line beside its words: role and separators in the tail, dash and its part of a day's heading before it. */
const LINE_TOKENS = 4;
/** Weight of the newest line's age over the oldest one's: of two lines as weighty, the later one is more likely meant. */
const RECENCY = 0.75;
/** Rate below which nothing is kept, however much room there is: a greeting helps nobody. */
const MIN_RATE = 0.8;

/**
 * Plans the next epoch from all that this one tells: the newest lines stay as they are, and of those before them the
 * weightiest are told in short. Questions whose answers are known are put to the plan first: lines that answer what it
 * misses are added, and where that does not do, the tail is longer. The same lines give the same plan. Pure.
 * @param lines those told now, oldest first
 * @param limit tokens of the prompt
 */
export function planSnapshot(
  lines: readonly EarlierMessage[],
  limit: number,
  count: CountTokens,
): SnapshotPlan | null {
  const tailAt = tailStart(lines, limit * TAIL_SHARE, count);
  if (tailAt === 0) return null;
  const costs = new Map(lines.slice(0, tailAt).map((line) => [line.id, count(tellLine(line)) + LINE_TOKENS]));
  const first = choose(lines.slice(0, tailAt), costs, limit * SNAPSHOT_SHARE);
  const probes = makeProbes(lines.slice(0, tailAt));
  const told = (ids: ReadonlySet<bigint>, from: number) =>
    unanswered(
      probes,
      lines.slice(0, from).filter(({ id }) => ids.has(id)),
      lines.slice(from),
    );
  const missed = told(first, tailAt);
  const kept = new Set(first);
  let room = limit * ADDED_SHARE;
  for (const { lineId } of missed) {
    const cost = kept.has(lineId) ? Number.POSITIVE_INFINITY : costs.get(lineId)!;
    if (cost > room) continue;
    room -= cost;
    kept.add(lineId);
  }
  const still = missed.length === 0 ? [] : told(kept, tailAt);
  const longerTail = still.length > 0;
  const from = longerTail ? tailStart(lines, limit * LONGER_TAIL_SHARE, count) : tailAt;
  const end = from === 0 ? tailAt : from;
  return {
    tailFrom: lines[end]!.id,
    kept: lines.slice(0, end).flatMap(({ id }) => (kept.has(id) ? [id] : [])),
    findings: {
      lines: end,
      probes: probes.length,
      held: probes.length - missed.length,
      added: kept.size - first.size,
      missed: longerTail ? told(kept, end).length : 0,
      longerTail,
    },
  };
}

/** Finds the first line of the newest whole turns that fit; 0 where all do. The last turn stays, whatever its size. */
function tailStart(lines: readonly EarlierMessage[], room: number, count: CountTokens): number {
  let tokens = 0;
  let start = lines.length;
  for (let at = lines.length - 1; at >= 0; at--) {
    tokens += count(lines[at]!.text) + LINE_TOKENS;
    if (tokens > room && start < lines.length) return start;
    if (lines[at - 1]?.turnId !== lines[at]!.turnId) start = at;
  }
  return 0;
}

/** Chooses the weightiest lines that fit. */
function choose(
  lines: readonly EarlierMessage[],
  costs: ReadonlyMap<bigint, number>,
  room: number,
): Set<bigint> {
  const rated = lines
    .map((line, at) => ({ id: line.id, rate: rateLine(line) + (RECENCY * at) / lines.length }))
    .filter(({ rate }) => rate >= MIN_RATE)
    .sort((a, b) => b.rate - a.rate || (a.id < b.id ? -1 : 1));
  const chosen = new Set<bigint>();
  let left = room;
  for (const { id } of rated) {
    const cost = costs.get(id)!;
    if (cost > left) continue;
    left -= cost;
    chosen.add(id);
  }
  return chosen;
}
