import { MAX_RECALL_BOOST, type ScoreParts } from '@kith/contracts';
import { estimateTokens } from '@kith/llm';

/** What is known of a memory that either arm of the search came up with. Ranks count from 1. */
export interface Candidate {
  id: string;
  text: string;
  /** 1 to 10. */
  importance: number;
  saidAt: Date;
  lastRecalledAt: Date | null;
  denseRank: number | null;
  similarity: number | null;
  lexicalRank: number | null;
}

export interface Ranked<C extends Candidate = Candidate> {
  candidate: C;
  why: ScoreParts;
}

/** Reciprocal rank fusion's usual constant (Cormack, Clarke, Büttcher 2009): how little the very first ranks differ. */
const RRF_K = 60;
/**
 * After two weeks unsaid and unrecalled, half of the boost is gone: last night still counts in full, last
 * season hardly. (Park 2023 forget by half in 6 days, with a weight that can overrule relevance; ours cannot.)
 */
const RECENCY_HALF_LIFE_MS = 14 * 24 * 60 * 60 * 1000;
/**
 * MMR (Carbonell, Goldstein 1998) between relevance (1) and novelty (0). Higher than the usual .5 to .7,
 * because fused ranks lie close together: at .85 a near copy falls by some ten ranks, a related memory by few.
 */
const MMR_LAMBDA = 0.85;

/** Both arms' ranks in one number: first in both is 1, first in one of them one half. */
export function fuseRanks(denseRank: number | null, lexicalRank: number | null): number {
  const share = (rank: number | null): number => (rank === null ? 0 : (RRF_K + 1) / (RRF_K + rank) / 2);
  return share(denseRank) + share(lexicalRank);
}

/** 0 to .1, by half less with each fortnight since it was said or recalled. A date ahead of `now` counts as now. */
export function recencyBoost(memory: Pick<Candidate, 'saidAt' | 'lastRecalledAt'>, now: Date): number {
  const touchedAt = Math.max(memory.saidAt.getTime(), memory.lastRecalledAt?.getTime() ?? -Infinity);
  const ageMs = Math.max(0, now.getTime() - touchedAt);
  return MAX_RECALL_BOOST * 0.5 ** (ageMs / RECENCY_HALF_LIFE_MS);
}

/** 0 for importance 1, .1 for importance 10. */
export function importanceBoost(importance: number): number {
  return (MAX_RECALL_BOOST * (Math.min(10, Math.max(1, importance)) - 1)) / 9;
}

/** Scores every candidate, best first; equals in the order of their ids, so that a recall can be repeated. */
export function scoreCandidates<C extends Candidate>(candidates: C[], now: Date): Ranked<C>[] {
  return candidates
    .map((candidate) => {
      const { denseRank, similarity, lexicalRank } = candidate;
      const fused = fuseRanks(denseRank, lexicalRank);
      const recency = recencyBoost(candidate, now);
      const importance = importanceBoost(candidate.importance);
      const score = fused * (1 + recency + importance);
      return { candidate, why: { denseRank, similarity, lexicalRank, fused, recency, importance, score } };
    })
    .sort((a, b) => b.why.score - a.why.score || (a.candidate.id < b.candidate.id ? -1 : 1));
}

/**
 * Chooses by maximal marginal relevance: each next one is the best of what differs from those already chosen.
 * One that does not fit into what is left of the token budget is passed over for smaller ones.
 * `similarity` is in [0, 1], 1 for the same thing.
 */
export function chooseMemories<C extends Candidate>(
  ranked: Ranked<C>[],
  bounds: { limit: number; maxTokens: number },
  similarity: (a: C, b: C) => number,
): Ranked<C>[] {
  const chosen: Ranked<C>[] = [];
  const best = ranked[0]?.why.score ?? 1;
  // Each candidate's likeness to the closest of those chosen, kept up to date rather than computed anew.
  let open = ranked.map((entry) => ({ entry, closest: 0 }));
  let tokensLeft = bounds.maxTokens;
  while (open.length > 0 && chosen.length < bounds.limit) {
    const next = open.reduce((top, each) => (marginal(each, best) > marginal(top, best) ? each : top));
    open = open.filter((each) => each !== next);
    const tokens = estimateTokens(next.entry.candidate.text);
    if (tokens > tokensLeft) continue;
    tokensLeft -= tokens;
    chosen.push(next.entry);
    for (const each of open) {
      each.closest = Math.max(each.closest, similarity(each.entry.candidate, next.entry.candidate));
    }
  }
  return chosen;
}

function marginal({ entry, closest }: { entry: Ranked; closest: number }, best: number): number {
  return MMR_LAMBDA * (entry.why.score / best) - (1 - MMR_LAMBDA) * closest;
}
