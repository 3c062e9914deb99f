import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Database, Tx } from '@kith/database';
import { freshDatabase, type FreshDatabase, ifStarted } from '@kith/testing';
import { AffectHistory } from './affect-history.js';

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase();
}, 60_000);
afterAll(() => ifStarted(fresh)?.stop());

it('the needs of a moment are found without reading every turn that was ever felt', async () => {
  await fresh.stores.query(
    `INSERT INTO felt_turns (companion_id, person_id, turn_id, version, needs, needs_at, at)
     SELECT 'mira', gen_random_uuid(), gen_random_uuid(), 1, jsonb_build_object('n', n), now() - n * interval '1 hour',
       now() - n * interval '1 hour' FROM generate_series(1, 5000) AS n`,
  );
  await fresh.stores.query('ANALYZE felt_turns');
  const now = new Date();
  const { needs, read } = await fresh.database.asSystem(async (tx) => {
    const asSystem = (work: (tx: Tx) => unknown) => work(tx);
    const history = new AffectHistory({ asSystem } as unknown as Database);
    const found = await history.needsBetween('mira', now, now, randomUUID());
    const rows = await tx.$queryRaw<{ read: number }[]>`
      SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables WHERE relname = 'felt_turns'`;
    return { ...found, read: rows[0]!.read };
  });
  expect(needs.map(({ levels }) => levels)).toContainEqual({ n: 1 });
  expect(read).toBeLessThan(100);
});
