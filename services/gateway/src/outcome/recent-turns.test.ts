import { expect, it } from '@jest/globals';
import type { FinishedTurn } from '../answer/finished-turn.js';
import type { Claim } from '../inbox/claim.js';
import { RecentTurns } from './recent-turns.js';

it('keeps neither turn nor mood of a person who is erased', () => {
  const recent = new RecentTurns();
  const of = (personId: string) => ({ companionId: 'mira', personId });
  for (const personId of ['ann', 'bob']) {
    const message = { origin: 'message', door: 'http', externalId: 'm', text: 'Hello', sentAt: new Date() };
    const claim = {
      ...of(personId),
      conversationId: 'c',
      audience: 'direct',
      poison: false,
      burst: [message],
    };
    const mood = { pad: { p: 0.5, a: 0, d: 0 }, label: 'relaxed', strength: 'slightly' };
    const turn = {
      turnId: `turn of ${personId}`,
      reply: null,
      mood,
      startedAt: new Date(),
      endedAt: new Date(),
    };
    recent.add(claim as unknown as Claim, turn as FinishedTurn);
  }
  recent.forget('ann');
  expect([recent.get('turn of ann'), recent.moodWith(of('ann'))]).toEqual([undefined, undefined]);
  expect(recent.get('turn of bob')).toBeDefined();
  expect(recent.moodWith(of('bob'))).toBe(0.5);
});
