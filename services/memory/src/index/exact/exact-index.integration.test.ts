import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { Database } from '@kith/database';
import { freshDatabase } from '@kith/testing';
import { ExactIndex } from './exact-index.js';
import { describeVectorIndex } from '../vector-index.contract-suite.js';

describeVectorIndex('Postgres, searched exactly', async () => {
  const { database, stop } = await freshDatabase();
  const nowhere = new Database({ url: 'postgres://nobody:x@127.0.0.1:1/none', poolSize: 1 });
  return {
    index: new ExactIndex(database),
    replica: new ExactIndex(database),
    unreachable: new ExactIndex(nowhere),
    close: async () => {
      await nowhere.close();
      await stop();
    },
  };
});

const pointsOf = <Scope>(scope: Scope, count: number, termsOf: (n: number) => string[]) =>
  Array.from({ length: count }, (_, n) => ({
    id: randomUUID(),
    ...scope,
    conversation: null,
    saidAt: new Date(0),
    digest: '',
    vector: Float32Array.of(1, 0),
    terms: termsOf(n),
  }));

it('reads a person of several pages, written in one version and in many', async () => {
  const { database, stop } = await freshDatabase();
  try {
    const scope = { personId: randomUUID(), companionId: 'wren', audience: 'direct' };
    const space = { id: 'test', dimensions: 2, kind: 'lexical' } as const;
    const points = pointsOf(scope, 2_500, () => ['tea']);
    const writer = new ExactIndex(database);
    await writer.upsert(space, points.slice(0, 2_100));
    for (let from = 2_100; from < 2_500; from += 100)
      await writer.upsert(space, points.slice(from, from + 100));
    const query = { vector: null, terms: ['tea'], limit: 3_000, kind: 'lexical' as const };
    const { lexical } = await new ExactIndex(database).candidates(space.id, scope, query);
    expect(lexical.map(({ id }) => id)).toEqual(points.map(({ id }) => id).sort());
  } finally {
    await stop();
  }
});

it('holds the newest of a person whose points would take too much memory, and says so', async () => {
  const { database, stop } = await freshDatabase();
  try {
    const scope = { personId: randomUUID(), companionId: 'wren', audience: 'direct' };
    const space = { id: 'test', dimensions: 2, kind: 'lexical' } as const;
    const termsOf = (n: number) => ['tea', ...Array.from({ length: 50 }, (_, w) => `w${n}x${w}`)];
    const points = pointsOf(scope, 2_500, termsOf);
    const told: unknown[] = [];
    const loaded = { heapBytes: 4_500_000, vectorBytes: 5_000_000 };
    const index = new ExactIndex(database, { warn: (fields: unknown) => told.push(fields) }, loaded);
    for (let from = 0; from < 2_500; from += 500) await index.upsert(space, points.slice(from, from + 500));
    const query = (term: string) => ({ vector: null, terms: [term], limit: 3_000, kind: 'lexical' as const });
    const find = async (term: string) => {
      const found = await index.candidates(space.id, scope, query(term));
      return { ids: found.lexical.map(({ id }) => id), isPart: found.isPart };
    };
    expect(await find('w2499x7')).toEqual({ ids: [points[2_499]!.id], isPart: true });
    expect((await find('w0x7')).ids).toEqual([]);
    expect((await find('tea')).ids).toHaveLength(1_000);
    expect(told).toMatchObject([{ personId: scope.personId, points: 1_000 }]);
    // New ones are found whether they fit what is held or not.
    for (let n = 2_500; n < 3_000; n += 100) {
      const more = pointsOf(scope, 100, (at) => termsOf(n + at));
      await index.upsert(space, more);
      expect((await find(`w${n}x3`)).ids).toEqual([more[0]!.id]);
      expect((await find('tea')).ids.length).toBeLessThanOrEqual(1_250);
    }
  } finally {
    await stop();
  }
});

it('reads what is there by then of a person whose new points no longer fit', async () => {
  const { database, stop } = await freshDatabase();
  try {
    const scope = { personId: randomUUID(), companionId: 'wren', audience: 'direct' };
    const space = { id: 'test', dimensions: 2, kind: 'lexical' } as const;
    const [held, added, late] = pointsOf(scope, 3, () => ['tea']).map((point) => [point] as const);
    const writer = new ExactIndex(database);
    /** Done before each of the next statements. */
    const before: (() => unknown)[] = [];
    const read: Database['read'] = (whose, work) =>
      database.read(whose, (reader) =>
        work({
          $queryRaw: async (query, ...values) => {
            await before.shift()?.();
            return reader.$queryRaw(query, ...values);
          },
        }),
      );
    const index = new ExactIndex({ read } as Database, undefined, { heapBytes: 0, vectorBytes: 0 });
    const find = async () => {
      const query = { vector: null, terms: ['tea'], limit: 10, kind: 'lexical' as const };
      return (await index.candidates(space.id, scope, query)).lexical.map(({ id }) => id);
    };
    await writer.upsert(space, held!);
    expect(await find()).toEqual([held![0].id]);
    await writer.upsert(space, added!);
    const none = () => undefined;
    before.push(none, none, () => writer.upsert(space, late!));
    expect(await find()).toEqual([held, added, late].map((point) => point![0].id).sort());
  } finally {
    await stop();
  }
});

it('takes a write that a crash took back for none, even where another has its place', async () => {
  const { stores, database, stop } = await freshDatabase();
  try {
    const scope = { personId: randomUUID(), companionId: 'wren', audience: 'direct' };
    const space = { id: 'test', dimensions: 2, kind: 'lexical' } as const;
    const point = (term: string) => ({
      id: randomUUID(),
      ...scope,
      conversation: null,
      saidAt: new Date(0),
      digest: '',
      vector: Float32Array.of(1, 0),
      terms: [term],
    });
    const query = (term: string) => ({ vector: null, terms: [term], limit: 10, kind: 'lexical' as const });
    const index = new ExactIndex(database);
    await index.upsert(space, [point('tea')]);
    await index.candidates(space.id, scope, query('tea'));
    const before = await stores.query('SELECT version FROM memory_vector_versions');
    const lost = point('bread');
    await index.upsert(space, [lost]);
    // As Postgres comes back, without the last write.
    await stores.query('DELETE FROM memory_vectors WHERE memory_id = $1', [lost.id]);
    await stores.query('UPDATE memory_vector_versions SET version = $1', [before[0]!['version']]);
    const kept = point('honey');
    await new ExactIndex(database).upsert(space, [kept]);
    const held = await index.candidates(space.id, scope, query('honey'), { mayBeStale: true });
    expect(await database.read({ personId: scope.personId }, (reader) => held.isCurrent!(reader))).toBe(
      false,
    );
    const { lexical } = await index.candidates(space.id, scope, query('honey'));
    expect(lexical.map(({ id }) => id)).toEqual([kept.id]);
  } finally {
    await stop();
  }
});

it('holds nothing in memory of points that are deleted, or of a person who is erased', async () => {
  const { stores, database, stop } = await freshDatabase();
  try {
    const scope = { personId: randomUUID(), companionId: 'wren', audience: 'direct' };
    const space = { id: 'test', dimensions: 2, kind: 'lexical' } as const;
    const point = () => ({
      id: randomUUID(),
      ...scope,
      conversation: null,
      saidAt: new Date(0),
      digest: '',
      vector: Float32Array.of(1, 0),
      terms: ['tea'],
    });
    const query = { vector: null, terms: ['tea'], limit: 10, kind: 'lexical' as const };
    const index = new ExactIndex(database);
    const [gone, kept] = [point(), point()];
    const cached = async () =>
      (await index.candidates(space.id, scope, query, { mayBeStale: true })).lexical.map(({ id }) => id);
    await index.upsert(space, [gone, kept]);
    expect(await cached()).toHaveLength(2);
    await index.delete(scope.personId, { ids: [gone.id] });
    expect(await cached()).toEqual([kept.id]);
    // Another replica removes all there is.
    const brief = { ...scope, personId: randomUUID() };
    await index.upsert(space, [{ ...point(), ...brief }]);
    await index.candidates(space.id, brief, query);
    await new ExactIndex(database).delete(brief.personId, { companionId: null });
    await index.candidates(space.id, brief, query);
    const { lexical } = await index.candidates(space.id, brief, query, { mayBeStale: true });
    expect(lexical).toEqual([]);
    for (const table of ['memory_vectors', 'memory_vector_versions'])
      await stores.query(`DELETE FROM ${table} WHERE person_id = $1`, [scope.personId]);
    expect(await cached()).toEqual([kept.id]);
    await index.delete(scope.personId, { companionId: null });
    expect(await cached()).toEqual([]);
  } finally {
    await stop();
  }
});
