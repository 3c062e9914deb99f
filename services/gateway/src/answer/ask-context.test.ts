import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Audience } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import { askContext, contextQuestion } from './ask-context.js';

const messenger = { canAsk: true, ask: () => Promise.reject(new Error('away')) } as never;
const clocks = { zoneOf: async () => 'Europe/Berlin' };
const questionIn = (audience: Audience) =>
  contextQuestion({
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

describe('the context of a turn', () => {
  it.each<[Audience, string | null]>([
    ['direct', 'Europe/Berlin'],
    ['channel:discord:1', null],
  ])('knows the person’s time zone where nobody else reads: %s', async (audience, timeZone) => {
    const parts = { messenger, clocks, states: { lacks: () => false, leave: () => undefined } };
    expect((await askContext(parts, questionIn(audience), new Date())).timeZone).toBe(timeZone);
  });

  it.each(['memory', 'personality'])(
    'does not wait for a %s that hangs, until it answers again',
    async (hung) => {
      const late = Promise.withResolvers<string>();
      const lacking = new Set([hung]);
      const states = {
        lacks: (part: string) => lacking.has(part),
        leave: (part: string) => void lacking.delete(part),
      };
      const ask = ({ pattern }: { pattern: string }) =>
        pattern.startsWith(hung) && lacking.has(hung) ? late.promise : Promise.resolve(pattern);
      const parts = { messenger: { canAsk: true, ask } as unknown as Messenger, clocks, states };
      const answers = async () => {
        const { recall, persona } = await askContext(parts, questionIn('direct'), new Date());
        return { memory: recall, personality: persona };
      };
      const other = hung === 'memory' ? 'personality' : 'memory';
      expect(await answers()).toMatchObject({ [hung]: null, [other]: expect.stringContaining(other) });
      expect(lacking.has(hung)).toBe(true);
      late.resolve('late');
      await late.promise;
      expect(lacking.has(hung)).toBe(false);
      expect(await answers()).toMatchObject({ [hung]: expect.stringContaining(hung) });
    },
  );
});
