import { describe, expect, it } from '@jest/globals';
import { Bulkhead } from './bulkhead.js';

describe('the bulkhead', () => {
  it('holds one person back at four turns at a time, and nobody else', () => {
    const bulkhead = new Bulkhead();
    const leaves = Array.from({ length: 4 }, () => bulkhead.enter('ann'));
    expect(leaves).not.toContain(null);
    expect(bulkhead.enter('ann')).toBeNull();
    expect(bulkhead.enter('ben')).not.toBeNull();
    leaves[0]!();
    expect(bulkhead.enter('ann')).not.toBeNull();
  });
});
