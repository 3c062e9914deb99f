import { describe, expect, it } from '@jest/globals';
import type { ChatEvent } from '@kith/contracts';
import { EventDeduplicator } from './event-deduplicator.js';

const token = (turnId: string): ChatEvent => ({ type: 'token', turnId, text: 'a' });

describe('EventDeduplicator', () => {
  it("lets one call tell a turn's course, and the others only of what is their own", () => {
    const tellers = new EventDeduplicator<string>();
    tellers.begin('one');
    tellers.begin('two');
    expect(tellers.mayTell('one', token('t1'))).toBe(true);
    expect(tellers.mayTell('two', token('t1'))).toBe(false);
    expect(tellers.mayTell('one', token('t1'))).toBe(true);
    expect(tellers.mayTell('two', token('t2'))).toBe(true);
    expect(tellers.mayTell('two', { type: 'accepted', conversationId: 'c', messageId: 'm' })).toBe(true);
  });

  it('does not let a call that lags behind tell it again', () => {
    const tellers = new EventDeduplicator<string>();
    tellers.begin('one');
    tellers.begin('two');
    tellers.mayTell('one', token('t1'));
    tellers.end('one');
    expect(tellers.mayTell('two', token('t1'))).toBe(false);
  });
});
