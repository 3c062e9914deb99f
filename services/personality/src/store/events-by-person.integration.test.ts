import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { rawSql } from '@kith/database';
import { freshDatabase, type FreshDatabase, ifStarted } from '@kith/testing';

let fresh: FreshDatabase;

beforeAll(async () => {
  fresh = await freshDatabase();
}, 60_000);

afterAll(() => ifStarted(fresh)?.stop());

it.each(['affect_events_person_id_idx', 'felt_turns_person_id_companion_id_at_idx'])(
  'finds what is of one person among what is of all by an index: %s',
  async (index) => {
    const isEvent = index.startsWith('affect');
    const [table, rest, values] = isEvent
      ? [
          'affect_events',
          'appraisal, emotion, intensity, appraiser, p, a, d',
          `'{}', 'joy', 0.5, 'rules', 0, 0, 0`,
        ]
      : ['felt_turns', 'version', '1'];
    await fresh.stores.query(
      `INSERT INTO ${table} (companion_id, person_id, turn_id, at, ${rest})
       SELECT 'mira', gen_random_uuid(), gen_random_uuid(), now(), ${values} FROM generate_series(1, 3000)`,
      [],
    );
    await fresh.stores.query(`ANALYZE ${table}`, []);
    const personId = randomUUID();
    const plan = await fresh.database.asPerson(
      personId,
      (tx) => tx.$queryRaw`EXPLAIN SELECT count(*) FROM ${rawSql(table)} WHERE person_id = ${personId}::uuid`,
    );
    expect(JSON.stringify(plan)).toContain(index);
  },
);
