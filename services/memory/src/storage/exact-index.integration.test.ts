import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { Database } from '@kith/database';
import { freshStores } from '@kith/testing';
import { ExactIndex } from './exact-index.js';
import { describeVectorIndex } from './vector-index.contract-suite.js';

describeVectorIndex('Postgres, searched exactly', async () => {
  const stores = await freshStores();
  const database = new Database({ url: stores.databaseUrl, poolSize: 5 });
  const nowhere = new Database({ url: 'postgres://nobody:x@127.0.0.1:1/none', poolSize: 1 });
  return {
    index: new ExactIndex(database),
    replica: new ExactIndex(database),
    unreachable: new ExactIndex(nowhere),
    close: async () => {
      await Promise.all([database.close(), nowhere.close()]);
      await stores.stop();
    },
  };
});

it('reads a person of several pages, written in one version and in many', async () => {
  const stores = await freshStores();
  const database = new Database({ url: stores.databaseUrl, poolSize: 5 });
  try {
    const scope = { personId: randomUUID(), companionId: 'wren', audience: 'direct' };
    const space = { id: 'test', dimensions: 2, kind: 'lexical' } as const;
    const points = Array.from({ length: 2_500 }, () => ({
      id: randomUUID(),
      ...scope,
      vector: Float32Array.of(1, 0),
      terms: ['tea'],
      conversation: null,
      saidAt: new Date(0),
    }));
    const writer = new ExactIndex(database);
    await writer.upsert(space, points.slice(0, 2_100));
    for (let from = 2_100; from < 2_500; from += 100)
      await writer.upsert(space, points.slice(from, from + 100));
    const query = { vector: null, terms: ['tea'], limit: 3_000 };
    const { lexical } = await new ExactIndex(database).candidates(space.id, scope, query);
    expect(lexical.map(({ id }) => id)).toEqual(points.map(({ id }) => id).sort());
  } finally {
    await database.close();
    await stores.stop();
  }
});
