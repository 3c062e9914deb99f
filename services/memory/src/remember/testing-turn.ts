import type { ReadTurn } from '@kith/contracts';

const ID = '00000000-0000-4000-8000-000000000001';
const AT = '2026-05-01T10:00:00.000Z';

/** Makes a finished turn for tests, with these messages of its person. */
export function testingTurn(
  messages: readonly Partial<ReadTurn['messages'][number]>[],
  over: Partial<ReadTurn> = {},
): ReadTurn {
  const { personId = ID } = over;
  return {
    turnId: ID,
    conversationId: ID,
    companionId: 'wren',
    personId,
    displayName: 'Ann',
    door: 'discord',
    audience: 'direct',
    outcome: 'answered',
    origin: 'message',
    startedAt: AT,
    endedAt: AT,
    messages: messages.map((message, n) => ({
      role: 'person' as const,
      personId,
      externalId: `m${n}`,
      text: 'hello there',
      at: AT,
      ...message,
    })),
    ...over,
  };
}
