import { describe, expect, it } from '@jest/globals';
import { describeIndex, describeProgress } from './reindex-memories.js';

describe('a reindex', () => {
  const state = {
    index: 'exact' as const,
    space: 's',
    memories: 3,
    indexed: 2,
    points: 2,
    next: null,
    running: false,
  };

  it('is told in percents and by its rate', () => {
    const progress = { done: 128, total: 300, perSecond: 63.7, isBeside: false };
    expect(describeProgress({ progress })).toBe('42 %: 128 of 300 written, 64 a second');
    expect(describeProgress({ progress: null })).toBe('comparing the index with the memories');
  });

  it('ends with what the index holds, as far as that is known', () => {
    expect(describeIndex({ ...state, progress: null })).toBe(
      '2 of 3 memories are in the index (exact, space s), which holds 2',
    );
    expect(describeIndex({ ...state, points: null, running: true, progress: null })).toContain(
      'which is out of reach; a reindex is on its way',
    );
  });
});
