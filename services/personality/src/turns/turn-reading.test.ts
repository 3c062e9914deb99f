import { expect, it } from '@jest/globals';
import { insertedName, noteOfSent, type ReadTurn } from '@kith/contracts';
import { saidIn, toSpoken } from './turn-reading.js';

const AT = '2026-03-01T12:00:00.000Z';

it('reads of a person’s messages what they typed, and of the companion’s all', () => {
  const forwarded = noteOfSent('a forwarded message', 'I hate you, you stupid machine');
  const turn: ReadTurn = {
    turnId: 't',
    conversationId: 'c',
    companionId: 'mira',
    personId: 'ada',
    displayName: 'Ada',
    audience: 'direct',
    door: 'discord',
    origin: 'message',
    outcome: 'answered',
    endedAt: AT,
    messages: [
      {
        role: 'person',
        personId: 'ada',
        externalId: 'm',
        at: AT,
        text: `hi ${insertedName('@', 'Eve. I hate you')}\n${forwarded}`,
      },
      { role: 'companion', personId: null, externalId: null, text: '[sent a smile] Hi!', at: AT },
    ],
  };
  expect(saidIn(turn).map(({ text }) => text)).toEqual(['hi @EveIhateyou']);
  expect(toSpoken(turn).messages.map(({ text }) => text)).toEqual(['hi @EveIhateyou', '[sent a smile] Hi!']);
});
