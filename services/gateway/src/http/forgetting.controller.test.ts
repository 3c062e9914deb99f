import 'reflect-metadata';
import { Readable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { AppError } from '@kith/contracts';
import { ForgettingController } from './forgetting.controller.js';

const TIME = '2026-03-01T10:00:00.000Z';

/** Asks to forget where there is nothing to forget, and no companion but Mira; `talked` is what is left of talk with others. */
async function forgetNothing(body: object, talked: object[] = []): Promise<unknown> {
  const nothing = { rows: 0, points: 0, receipt: null, undoUntil: null, memories: [], lines: 0, talk: [] };
  const forgetting = { forget: async () => nothing };
  const companions = {
    require: async (id: string) => {
      if (id !== 'mira') throw new AppError('not_found', `there is no companion "${id}"`);
    },
  };
  const database = { reader: () => ({ $queryRaw: async () => talked }) };
  const controller = new ForgettingController({ database, companions, forgetting });
  const serve = Reflect.get(controller, 'forget') as (...args: unknown[]) => Promise<unknown>;
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  const request = Object.assign(Readable.from([bytes]), {
    headers,
    caller: { personId: 'ann' },
    params: {},
    query: {},
    socket: { bytesRead: 0 },
  });
  return serve.call(controller, request, { setHeader: () => undefined });
}

it('does not say that nothing was there to forget of a companion that there is not', async () => {
  await expect(forgetNothing({ all: true, companion: 'miraa' })).rejects.toMatchObject({ code: 'not_found' });
  expect(await forgetNothing({ all: true, companion: 'mira' })).toMatchObject({ rows: 0 });
});

it('says that nothing is left to forget of a companion that was retired', async () => {
  const ofPip = { all: true, companion: 'pip' };
  await expect(forgetNothing(ofPip)).rejects.toMatchObject({ code: 'not_found' });
  for (const asked of [ofPip, { query: 'tea', companion: 'pip' }])
    expect(await forgetNothing(asked, [{}])).toMatchObject({ rows: 0 });
});

it('refuses to forget a period that ends before it begins', async () => {
  const period = { from: '2026-03-02T10:00:00Z', to: TIME };
  const details = { field: 'period.to' };
  await expect(forgetNothing({ period })).rejects.toMatchObject({ code: 'invalid_request', details });
  expect(await forgetNothing({ period: { from: TIME, to: TIME } })).toMatchObject({ rows: 0 });
});
