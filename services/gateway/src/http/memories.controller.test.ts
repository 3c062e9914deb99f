import 'reflect-metadata';
import { expect, it } from '@jest/globals';
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
  const controller = new MemoriesController({ messenger: { ask }, companions });
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
