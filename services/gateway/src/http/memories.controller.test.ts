import 'reflect-metadata';
import { Readable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { AppError } from '@kith/contracts';
import { MemoriesController } from './memories.controller.js';

const TIME = '2026-03-01T10:00:00.000Z';
const why = { denseRank: 1, similarity: 1, lexicalRank: 1, fused: 1, recency: 0, importance: 0, score: 1 };
const memories = Array.from({ length: 120 }, (_, n) => ({
  id: `019a0000-0000-7000-8000-000000000${String(n).padStart(3, '0')}`,
  kind: n < 20 ? 'episode' : 'fact',
  text: `memory ${n}`,
  audience: 'direct',
  writer: 'person',
  importance: 5,
  saidAt: TIME,
  createdAt: TIME,
  lastRecalledAt: null,
  timesRecalled: 0,
  sources: [],
  why,
}));

/** Searches where recall finds this many at most. */
async function search(
  known: number,
  query: object,
): Promise<{ memories: { text: string }[]; isFull: boolean }> {
  const ask = async (_: unknown, { limit }: { limit: number }) => ({
    memories: memories.slice(0, Math.min(known, limit)),
    degraded: [],
    tookMs: 1,
  });
  const companions = { require: async () => 'mira' };
  const none = {} as never;
  const controller = new MemoriesController(none, { ask }, companions, none, none, none);
  const serve = Reflect.get(controller, 'search') as (...args: unknown[]) => ReturnType<typeof search>;
  const request = { caller: { personId: 'ann' }, params: {}, query: { q: 'x', ...query } };
  return serve.call(controller, request, { setHeader: () => undefined });
}

it('searches memories of one kind beyond better ones of another', async () => {
  const found = await search(40, { kind: 'fact', limit: '3' });
  expect(found.memories.map(({ text }) => text)).toEqual(['memory 20', 'memory 21', 'memory 22']);
});

it.each([
  ['all of a kind', 40, { kind: 'fact', limit: '3' }, false],
  ['what is of a kind among the best', 120, { kind: 'fact', limit: '100' }, true],
  ['nothing of a kind among the best', 120, { kind: 'reflection' }, true],
  ['all there is', 40, { limit: '41' }, false],
  ['the best', 40, { limit: '40' }, true],
])('tells whether there may be more: %s', async (_, known, query, isFull) => {
  expect(await search(known, query)).toMatchObject({ isFull });
});

/** Asks to forget where there is nothing to forget, and no companion but Mira; `talked` is what is left of talk with others. */
async function forgetNothing(body: object, talked: object[] = []): Promise<unknown> {
  const none = {} as never;
  const nothing = { rows: 0, points: 0, receipt: null, undoUntil: null, memories: [], lines: 0, talk: [] };
  const forgetting = { forget: async () => nothing };
  const companions = {
    require: async (id: string) => {
      if (id !== 'mira') throw new AppError('not_found', `there is no companion "${id}"`);
    },
  };
  const database = { reader: () => ({ $queryRaw: async () => talked }) };
  const doors = [database as never, none, companions as never, forgetting as never, none, none] as const;
  const controller = new MemoriesController(...doors);
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
