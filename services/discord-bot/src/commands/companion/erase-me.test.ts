import { describe, expect, it } from '@jest/globals';
import { askToErase, describeErased } from './erase-me.js';

const stores = { gateway: { transcript: 8, people: 1 }, memory: { memories: 1 } };

describe('an erasure, in words', () => {
  it('is asked with what there is', () => {
    expect(askToErase({ stores, silent: [] })).toContain(
      '10 entries, among them 1 memory and 8 lines of talk',
    );
    const withoutMemory = askToErase({ stores: {}, silent: ['memory'] });
    expect(withoutMemory).toContain('0 entries, among them 0 memories');
    expect(withoutMemory).toContain('out of reach right now: memory.');
  });

  it('says what is gone, or that it is still going', () => {
    expect(describeErased({ stores, finishedAt: '2026-03-01T10:00:00Z' })).toContain('10 entries are gone');
    expect(describeErased({ stores, finishedAt: null })).toContain('being removed');
  });
});
