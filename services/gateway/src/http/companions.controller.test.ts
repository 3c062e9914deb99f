import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { CompanionsController } from './companions.controller.js';

it.each(['mood', 'moodCard', 'affectEvents'])(
  'asks nobody for the %s of a period that ends before it begins',
  async (name) => {
    const asked: string[] = [];
    const ask = async ({ pattern }: { pattern: string }) => void asked.push(pattern);
    const controller = new CompanionsController({ messenger: { ask } });
    const serve = Reflect.get(controller, name) as (...args: unknown[]) => Promise<unknown>;
    const query = { from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' };
    const request = {
      method: 'GET',
      headers: {},
      caller: { personId: 'ann', scopes: ['chat'] },
      params: { id: 'mira' },
      query,
    };
    const served = serve.call(controller, request, { setHeader: () => undefined });
    await expect(served).rejects.toMatchObject({ code: 'invalid_request', details: { field: 'to' } });
    expect(asked).toEqual([]);
  },
);

const ANN = '019a0000-0000-7000-8000-000000000001';
const BEA = '019a0000-0000-7000-8000-000000000002';

/** Shows a bond to Ann, who has these scopes. */
function bondOf(person: string, scopes: readonly string[], people: readonly object[]): Promise<unknown> {
  const database = {
    read: async (_: unknown, work: (reader: object) => unknown) => work({ $queryRaw: async () => people }),
  };
  const numbers = { familiarity: 1, affection: 1, trust: 1, tension: 0, sentiment: 1, interactions: 9 };
  const jokes = [{ phrase: 'blue lockers', day: '2026-05-01', turnIds: [], audience: 'direct' }];
  const view = { ...numbers, stage: 'friend', milestones: [], jokes, firstMetAt: null, lastSpokeAt: null };
  const controller = new CompanionsController({ messenger: { ask: async () => view }, database });
  const serve = Reflect.get(controller, 'bond') as (...args: unknown[]) => Promise<unknown>;
  const params = { id: 'mira', person };
  const request = { method: 'GET', headers: {}, caller: { personId: ANN, scopes }, params, query: {} };
  return serve.call(controller, request, { setHeader: () => undefined });
}

it('tells an operator of no bond with a person that there is not', async () => {
  await expect(bondOf(BEA, ['chat', 'admin'], [])).rejects.toMatchObject({ code: 'not_found' });
});

it('shows a bond to its person alone, and to an operator without the words of the two', async () => {
  const jokes = [{ phrase: 'blue lockers' }];
  for (const own of ['me', ANN])
    expect(await bondOf(own, ['chat'], [{}])).toMatchObject({ stage: 'friend', jokes });
  await expect(bondOf(BEA, ['chat'], [{}])).rejects.toMatchObject({ code: 'not_found' });
  expect(await bondOf(BEA, ['chat', 'admin'], [{}])).toMatchObject({ stage: 'friend', jokes: [] });
});
