import { describe, expect, it } from '@jest/globals';
import { Bulkhead } from './bulkhead.js';

const speaker = (personId: string, conversationId: string) => ({ personId, conversationId });

describe('the bulkhead', () => {
  it('holds one person back at four turns at a time, and nobody else', () => {
    const bulkhead = new Bulkhead();
    const leaves = [1, 2, 3, 4].map((place) => bulkhead.enter(speaker('ann', `place ${place}`)));
    expect(leaves).not.toContain(null);
    expect(bulkhead.enter(speaker('ann', 'place 5'))).toBeNull();
    expect(bulkhead.enter(speaker('ben', 'place 1'))).not.toBeNull();
    leaves[0]!();
    expect(bulkhead.enter(speaker('ann', 'place 5'))).not.toBeNull();
  });

  it('lets a busy channel have 24 turns at a time, and keeps room for other places', () => {
    const bulkhead = new Bulkhead();
    const inChannel = (person: number) => bulkhead.enter(speaker(`person ${person}`, 'channel'));
    const leaves = Array.from({ length: 24 }, (_, person) => inChannel(person));
    expect(leaves).not.toContain(null);
    expect(inChannel(24)).toBeNull();
    expect(bulkhead.enter(speaker('person 24', 'their own DM'))).not.toBeNull();
    leaves[0]!();
    expect(inChannel(25)).not.toBeNull();
  });
});
