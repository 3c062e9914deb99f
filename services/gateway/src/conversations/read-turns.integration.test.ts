import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { commitTurn } from '../outcome/commit-turn.js';
import { readExchanges } from './read-exchanges.js';
import { answered, withTalk } from '../e2e/talk.js';

const talk = withTalk();

describe('what the companion said right before', () => {
  it('is told of a turn when it was meant for whoever began that', async () => {
    const where = await talk.place();
    const speak = async (personId: string, reply: string): Promise<string> => {
      const speaker = { ...where, personId };
      await talk.accept(speaker, randomUUID());
      const turn = { ...answered(), reply };
      await commitTurn(talk.database, await talk.claim(speaker), turn, false);
      return turn.turnId;
    };
    const { personId: other } = await talk.place();
    const first = await speak(where.personId, 'Do you like jazz?');
    const second = await speak(where.personId, 'Nice.');
    const third = await speak(other, 'And you?');
    const exchanges = await readExchanges(talk.database, [first, second, third]);
    const of = (id: string) => exchanges.find(({ turnId }) => turnId === id);
    expect(of(second)).toEqual({
      ...{ turnId: second, reply: 'Nice.', recalled: [] },
      before: { text: 'Do you like jazz?', at: expect.any(String) },
    });
    expect([of(first), of(third)].map((exchange) => exchange?.before)).toEqual([null, null]);
  });
});
