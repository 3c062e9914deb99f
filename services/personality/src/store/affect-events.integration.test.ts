import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { freshDatabase, type FreshDatabase, ifStarted } from '@kith/testing';

let fresh: FreshDatabase;

beforeAll(async () => {
  fresh = await freshDatabase();
}, 60_000);

afterAll(() => ifStarted(fresh)?.stop());

it('finds the events of one person by an index among those of all', async () => {
  await fresh.stores.query(
    `INSERT INTO affect_events (companion_id, person_id, turn_id, appraisal, emotion, intensity, appraiser, p, a, d, at)
     SELECT 'mira', gen_random_uuid(), gen_random_uuid(), '{}', 'joy', 0.5, 'rules', 0, 0, 0, now()
     FROM generate_series(1, 3000)`,
    [],
  );
  await fresh.stores.query('ANALYZE affect_events', []);
  const personId = randomUUID();
  const plan = await fresh.database.asPerson(
    personId,
    (tx) => tx.$queryRaw`EXPLAIN SELECT count(*) FROM affect_events WHERE person_id = ${personId}::uuid`,
  );
  expect(JSON.stringify(plan)).toContain('affect_events_person_id_idx');
});
