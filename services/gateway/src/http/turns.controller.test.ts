import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { TurnsController } from './turns.controller.js';

const ANN = '019a0000-0000-7000-8000-000000000001';
const BEA = '019a0000-0000-7000-8000-000000000002';

/** Lists turns of a person, where there are none, with a key of Ann's. */
function list(person: string, scopes: readonly string[]): Promise<unknown> {
  const noRows = { findMany: async () => [] };
  const within = async (_: unknown, work: (tx: object) => unknown) =>
    work({ turn: noRows, inboxMessage: noRows });
  const database = { asPerson: within, asSystem: (work: (tx: object) => unknown) => within(null, work) };
  const controller = new TurnsController({ database });
  const serve = Reflect.get(controller, 'list') as (...args: unknown[]) => Promise<unknown>;
  const request = {
    method: 'GET',
    headers: {},
    caller: { personId: ANN, scopes },
    params: {},
    query: { person },
  };
  return serve.call(controller, request, { setHeader: () => undefined });
}

it('answers nobody’s own turns as those of somebody else', async () => {
  const details = { field: 'person' };
  await expect(list(BEA, ['chat'])).rejects.toMatchObject({ code: 'not_found', details });
  expect(await list(ANN, ['chat'])).toEqual({ turns: [], waiting: [] });
  expect(await list(BEA, ['chat', 'admin'])).toEqual({ turns: [], waiting: [] });
});
