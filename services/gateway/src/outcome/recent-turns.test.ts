import { expect, it } from '@jest/globals';
import type { FinishedTurn } from '../answer/finished-turn.js';
import type { Claim } from '../inbox/claim.js';
import { RecentTurns } from './recent-turns.js';

it('keeps no turn of a person who is erased', () => {
  const recent = new RecentTurns();
  for (const personId of ['ann', 'bob']) {
    const message = { origin: 'message', door: 'http', externalId: 'm', text: 'Hello', sentAt: new Date() };
    const claim = {
      companionId: 'mira',
      personId,
      conversationId: 'c',
      audience: 'direct',
      poison: false,
      burst: [message],
    };
    const turn = { turnId: `turn of ${personId}`, reply: null, startedAt: new Date(), endedAt: new Date() };
    recent.add(claim as unknown as Claim, turn as FinishedTurn);
  }
  recent.forget('ann');
  expect(recent.get('turn of ann')).toBeUndefined();
  expect(recent.get('turn of bob')).toBeDefined();
});
