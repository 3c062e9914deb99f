import { describe, expect, it } from '@jest/globals';
import { countFates, judgeCandidates, type RecallDone } from './explain-candidate.js';
import type { RowToRank } from './rank-found.js';
import type { Ranked } from './memory-ranking.js';

const ranked = (id: string, score: number): Ranked<RowToRank> => ({
  candidate: { id, text: id, similarity: score } as RowToRank,
  why: { score } as Ranked['why'],
});

const [a, b, c, d, e] = [0.9, 0.8, 0.7, 0.6, 0.5].map((score, n) => ranked('abcde'[n]!, score));
const done = {
  ranked: {
    pool: [a!, b!, c!, d!],
    beyond: [e!],
    cut: [
      { candidate: ranked('far', 0.1).candidate, fate: 'floor' },
      { candidate: ranked('near', 0.2).candidate, fate: 'floor' },
    ],
  },
  chosen: [a!, c!],
  tooLong: new Set<string>(),
} as Pick<RecallDone, 'ranked' | 'chosen' | 'tooLong'> as RecallDone;

const fates = (of: RecallDone) => judgeCandidates(of).map(({ candidate, fate }) => `${candidate.id} ${fate}`);

describe('the account of a recall', () => {
  it('tells what repeats something chosen from what came too late', () => {
    expect(fates(done)).toEqual([
      'a chosen',
      'c chosen',
      'b alike',
      'd limit',
      'e beyond',
      'near floor',
      'far floor',
    ]);
  });

  it('tells what did not fit', () => {
    expect(fates({ ...done, tooLong: new Set(['b']) })[2]).toBe('b budget');
  });

  it('counts all of them', () => {
    expect(countFates(judgeCandidates(done))).toEqual({ chosen: 2, alike: 1, limit: 1, beyond: 1, floor: 2 });
  });
});
