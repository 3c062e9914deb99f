import 'reflect-metadata';
import { expect, it } from '@jest/globals';
import { MemoriesController } from './memories.controller.js';

const TIME = '2026-03-01T10:00:00.000Z';
const why = { denseRank: 1, similarity: 1, lexicalRank: 1, fused: 1, recency: 0, importance: 0, score: 1 };
const memories = Array.from({ length: 40 }, (_, n) => ({
  id: `019a0000-0000-7000-8000-0000000000${String(n).padStart(2, '0')}`,
  kind: n < 20 ? 'episode' : 'fact',
  ...{
    text: `memory ${n}`,
    audience: 'direct',
    writer: 'person',
    importance: 5,
    saidAt: TIME,
    createdAt: TIME,
  },
  ...{ lastRecalledAt: null, timesRecalled: 0, sources: [], why },
}));

it('searches memories of one kind beyond better ones of another', async () => {
  const ask = async (_: unknown, { limit }: { limit: number }) => ({
    ...{ memories: memories.slice(0, limit), degraded: [], tookMs: 1 },
  });
  const companions = { require: async () => 'mira' };
  const none = {} as never;
  const controller = new MemoriesController(none, { ask } as never, companions as never, none, none, none);
  const serve = Reflect.get(controller, 'onSearch') as (
    ...args: unknown[]
  ) => Promise<{ memories: { text: string }[] }>;
  const request = { caller: { personId: 'ann' }, params: {}, query: { q: 'x', kind: 'fact', limit: '3' } };
  const found = await serve.call(controller, request, { setHeader: () => undefined });
  expect(found.memories.map(({ text }) => text)).toEqual(['memory 20', 'memory 21', 'memory 22']);
});
