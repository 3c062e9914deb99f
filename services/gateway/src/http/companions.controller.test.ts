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

it('tells an operator of no bond with a person that there is not', async () => {
  const database = {
    read: async (_: unknown, work: (reader: object) => unknown) => work({ $queryRaw: async () => [] }),
  };
  const controller = new CompanionsController({ messenger: { ask: async () => ({}) }, database });
  const serve = Reflect.get(controller, 'bond') as (...args: unknown[]) => Promise<unknown>;
  const request = {
    method: 'GET',
    headers: {},
    caller: { personId: 'ann', scopes: ['chat', 'admin'] },
    params: { id: 'mira', person: '019a0000-0000-7000-8000-000000000001' },
    query: {},
  };
  const served = serve.call(controller, request, { setHeader: () => undefined });
  await expect(served).rejects.toMatchObject({ code: 'not_found' });
});
