import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Database } from '@kith/database';
import { freshDatabase, ifStarted, type FreshDatabase } from '@kith/testing';
import { addUpTallies, countAnew, readTallies } from './memory-tallies.js';

const SPACE = 'a space';
const personId = randomUUID();
let fresh: FreshDatabase;
let database: Database;

beforeAll(async () => {
  fresh = await freshDatabase();
  ({ database } = fresh);
});
afterAll(() => ifStarted(fresh)?.stop());

const told = async () => {
  const tallies = await database.read('system', readTallies);
  return [tallies.open, tallies.indexedIn(SPACE), tallies.pointsIn(SPACE)];
};
/** Tallies as they should be, by the rows. */
const counted = async () => {
  const [row] = await database.reader('system').$queryRaw<{ counts: number[] }[]>`
    SELECT ARRAY[(SELECT count(*) FROM memories WHERE shelf = 'open'),
      (SELECT count(*) FROM memories WHERE indexed_in = ${SPACE}),
      (SELECT count(*) FROM memory_vectors WHERE space = ${SPACE})]::int[] AS counts`;
  return row!.counts;
};

function remember(count: number, indexedIn: string | null = null, shelf = 'open'): Promise<number> {
  return database.writer({ personId }).$executeRaw`
    INSERT INTO memories (id, person_id, companion_id, kind, text, content_hash, audience, writer, importance,
      said_at, sources, indexed_in, shelf)
    SELECT gen_random_uuid(), ${personId}::uuid, 'wren', 'episode', 'x', gen_random_uuid()::text, 'direct', 'person',
      1, now(), '{}', ${indexedIn}, ${shelf}
    FROM generate_series(1, ${count}::int)`;
}

it('follow rows and points, whatever becomes of them', async () => {
  await remember(5);
  await remember(3, SPACE);
  await remember(2, null, 'archive');
  await database.writer({ personId }).$executeRaw`
    INSERT INTO memory_vectors (memory_id, space, person_id, companion_id, audience, vector, terms, version)
    SELECT id, ${SPACE}, person_id, 'wren', 'direct', '', '{}', 1 FROM memories WHERE shelf = 'open'`;
  expect(await told()).toEqual([8, 3, 8]);
  await addUpTallies(database);
  expect(await told()).toEqual(await counted());
  await database.write({ personId }, async (tx) => {
    await tx.$executeRaw`UPDATE memories SET indexed_in = ${SPACE} WHERE shelf = 'open'`;
    await tx.$executeRaw`UPDATE memories SET times_recalled = 1`;
    await tx.$executeRaw`
      UPDATE memories SET shelf = 'archive', indexed_in = NULL WHERE id = (SELECT id FROM memories WHERE shelf = 'open' LIMIT 1)`;
    await tx.$executeRaw`
      DELETE FROM memories WHERE id IN (SELECT id FROM memories WHERE shelf = 'open' LIMIT 2)`;
    await tx.$executeRaw`
      DELETE FROM memory_vectors WHERE memory_id NOT IN (SELECT id FROM memories WHERE shelf = 'open')`;
  });
  expect(await told()).toEqual([5, 5, 5]);
  await addUpTallies(database);
  expect(await told()).toEqual(await counted());
});

it('leave nothing to be added up, however many add up at once', async () => {
  await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      await remember(n % 3);
      await addUpTallies(database);
    }),
  );
  const [left] = await database.reader('system').$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM memory_tally_changes`;
  expect(left).toEqual({ count: 0 });
  expect(await told()).toEqual(await counted());
});

it('are put right by counting anew, also while rows are written', async () => {
  await database.write('system', async (tx) => {
    await tx.$executeRaw`UPDATE memory_tallies SET count = count + 1000`;
    await tx.$executeRaw`INSERT INTO memory_tallies (name, count) VALUES ('indexed:of old', 7)`;
  });
  await Promise.all([
    ...Array.from({ length: 10 }, () => remember(2, SPACE)),
    ...Array.from({ length: 3 }, () => countAnew(database)),
    ...Array.from({ length: 3 }, () => addUpTallies(database)),
  ]);
  expect(await told()).toEqual(await counted());
});
