import { expect, it } from '@jest/globals';
import { readTurn } from './read-turn.js';

it('reads a wish for silence beside a reason, from the person alone', () => {
  const said = (text: string) => [{ text, saidAt: new Date('2026-01-14T12:00:00Z') }];
  const asking = said('Remind me tomorrow at 9 to call mum. And stop messaging me.');
  expect(readTurn({ person: asking, companion: [] }, 'UTC')).toMatchObject({
    reasons: [{ kind: 'request' }],
    silencedAt: asking[0]?.saidAt,
  });
  const silent = said('Stop messaging me.');
  expect(readTurn({ person: said('hi'), companion: silent }, 'UTC').silencedAt).toBeNull();
});
