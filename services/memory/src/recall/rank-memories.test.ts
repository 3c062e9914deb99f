import { describe, expect, it } from '@jest/globals';
import {
  chooseMemories,
  fuseRanks,
  importanceBoost,
  recencyBoost,
  scoreCandidates,
  type Candidate,
} from './rank-memories.js';

const NOW = new Date('2026-06-01T12:00:00Z');
const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * 86_400_000);

function candidate(id: string, over: Partial<Candidate> = {}): Candidate {
  return {
    id,
    text: 'forty characters of text, more or less…',
    importance: 1,
    saidAt: daysAgo(400),
    lastRecalledAt: null,
    denseRank: null,
    similarity: null,
    lexicalRank: null,
    ...over,
  };
}

const nothingAlike = (): number => 0;
const idsOf = (ranked: { candidate: Candidate }[]): string[] => ranked.map((entry) => entry.candidate.id);

describe('fusing the arms', () => {
  it('gives 1 to what is first in both, one half to what is first in one', () => {
    expect(fuseRanks(1, 1)).toBe(1);
    expect(fuseRanks(1, null)).toBe(0.5);
    expect(fuseRanks(null, null)).toBe(0);
  });

  it('prefers what both arms found to what one arm found first', () => {
    expect(fuseRanks(20, 20)).toBeGreaterThan(fuseRanks(1, null));
  });
});

describe('boosts', () => {
  it('halve recency every fortnight since the memory was said or last recalled', () => {
    expect(recencyBoost(candidate('a', { saidAt: NOW }), NOW)).toBeCloseTo(0.1, 10);
    expect(recencyBoost(candidate('a', { saidAt: daysAgo(14) }), NOW)).toBeCloseTo(0.05, 10);
    expect(recencyBoost(candidate('a', { lastRecalledAt: daysAgo(28) }), NOW)).toBeCloseTo(0.025, 10);
  });

  it('stay within a tenth, also for dates to come and importance out of range', () => {
    expect(recencyBoost(candidate('a', { saidAt: daysAgo(-30) }), NOW)).toBe(0.1);
    expect(importanceBoost(10)).toBeCloseTo(0.1, 10);
    expect(importanceBoost(99)).toBeCloseTo(0.1, 10);
    expect(importanceBoost(1)).toBe(0);
  });

  it('cannot lift a worse match over one far better', () => {
    const fresh = candidate('fresh', { denseRank: 40, saidAt: NOW, importance: 10 });
    const old = candidate('old', { denseRank: 3, lexicalRank: 2 });
    expect(idsOf(scoreCandidates([fresh, old], NOW))).toEqual(['old', 'fresh']);
  });

  it('settle what matches alike', () => {
    const dull = candidate('a-dull', { denseRank: 1, lexicalRank: 2 });
    const dear = candidate('b-dear', { denseRank: 2, lexicalRank: 1, importance: 9 });
    expect(idsOf(scoreCandidates([dull, dear], NOW))).toEqual(['b-dear', 'a-dull']);
  });
});

describe('scores', () => {
  it('are what their parts say', () => {
    const [ranked] = scoreCandidates([candidate('a', { denseRank: 2, lexicalRank: 1, importance: 5 })], NOW);
    const why = ranked!.why;
    expect(why.score).toBeCloseTo(why.fused * (1 + why.recency + why.importance), 12);
  });
});

describe('choosing', () => {
  const three = scoreCandidates(
    [1, 2, 3].map((rank) => candidate(`m${rank}`, { denseRank: rank, lexicalRank: rank })),
    NOW,
  );

  it('puts a near copy behind something new', () => {
    const copies = new Set(['m1', 'm2']);
    const alike = (a: Candidate, b: Candidate): number => (copies.has(a.id) && copies.has(b.id) ? 0.98 : 0.1);
    expect(idsOf(chooseMemories(three, { limit: 3, maxTokens: 1000 }, alike))).toEqual(['m1', 'm3', 'm2']);
  });

  it('keeps the order of relevance where nothing is alike', () => {
    expect(idsOf(chooseMemories(three, { limit: 2, maxTokens: 1000 }, nothingAlike))).toEqual(['m1', 'm2']);
  });

  it('passes over what does not fit the budget, for what does', () => {
    const [first, second, third] = three as [(typeof three)[0], (typeof three)[0], (typeof three)[0]];
    const long = { ...second, candidate: { ...second.candidate, text: 'x'.repeat(4000) } };
    const chosen = chooseMemories([first, long, third], { limit: 3, maxTokens: 30 }, nothingAlike);
    expect(idsOf(chosen)).toEqual(['m1', 'm3']);
  });

  it('chooses nothing from nothing', () => {
    expect(chooseMemories([], { limit: 3, maxTokens: 30 }, nothingAlike)).toEqual([]);
  });
});
