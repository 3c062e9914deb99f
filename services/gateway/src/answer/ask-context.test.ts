import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Audience } from '@kith/contracts';
import { askContext, contextQuestion } from './ask-context.js';

const messenger = { canAsk: true, ask: () => Promise.reject(new Error('away')) } as never;
const clocks = { zoneOf: async () => 'Europe/Berlin' };

describe('the context of a turn', () => {
  it.each<[Audience, string | null]>([
    ['direct', 'Europe/Berlin'],
    ['channel:discord:1', null],
  ])('knows the person’s time zone where nobody else reads: %s', async (audience, timeZone) => {
    const question = contextQuestion({
      companionId: 'mira',
      personId: randomUUID(),
      audience,
      mood: undefined,
      promptTokens: 6_000,
      conversationId: randomUUID(),
      said: [],
      earlier: [],
      toldSince: undefined,
    });
    const parts = { messenger, clocks, states: { lacks: () => false } };
    expect((await askContext(parts, question, new Date())).timeZone).toBe(timeZone);
  });
});
