import { describe, expect, it } from '@jest/globals';
import { describeUse } from './describe-use.js';

const fresh = {
  kind: 'episode',
  timesRecalled: 0,
  lastRecalledAt: null,
  shelf: 'open',
  shelfReason: null,
  sources: ['m1'],
} as const;

describe('what became of a memory', () => {
  it('says how often it came to mind, and where it lies', () => {
    expect(describeUse({ ...fresh, sources: ['m1'] })).toBe('never recalled');
    expect(
      describeUse({
        ...fresh,
        sources: ['a', 'b'],
        timesRecalled: 2,
        lastRecalledAt: new Date(2026, 2, 2, 1).toISOString(),
      }),
    ).toBe('recalled 2 times, last on 2026-03-02 · from 2 messages');
    expect(describeUse({ ...fresh, kind: 'knowledge', sources: ['d', 'd#1'] })).toBe('never recalled');
    const held = { ...fresh, sources: [], shelf: 'quarantine' as const, shelfReason: 'a claim of rights' };
    expect(describeUse(held)).toBe('never recalled · in quarantine: a claim of rights');
  });
});
