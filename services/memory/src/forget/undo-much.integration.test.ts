import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { SealedRows, sql, type Database } from '@kith/database';
import { type FreshStores, freshDatabase, type FreshDatabase, ifStarted } from '@kith/testing';

let stores: FreshStores;
let database: Database;
let stop: FreshDatabase['stop'];
beforeAll(async () => {
  ({ stores, database, stop } = await freshDatabase());
});
afterAll(() => ifStarted(stop)?.());

const ROWS = 2_000;

/** Stores memories of a person and seals them with an order. */
async function sealed(personId: string, orderId: string, from: number): Promise<void> {
  await stores.query(
    `INSERT INTO memories
       (id, person_id, companion_id, kind, text, content_hash, audience, writer, importance, said_at, sources)
     SELECT gen_random_uuid(), $1, 'wren', 'episode', 'line ' || n, 'hash ' || n, 'direct', 'person', 3, now(), '{}'
     FROM generate_series($2::int, $2 + $3 - 1) AS n`,
    [personId, from, ROWS],
  );
  const rows = new SealedRows(database, 'memory_sealed_rows');
  const until = new Date(Date.now() + 600_000);
  await database.asPerson(personId, (tx) =>
    rows.remove(tx, { orderId, personId, until }, 'memories', sql`person_id = ${personId}::uuid`),
  );
}

it('puts much back in one look at what lies sealed, and what another order names too stays away', async () => {
  const [personId, one, other] = [randomUUID(), randomUUID(), randomUUID()];
  await sealed(personId, one, 0);
  await sealed(personId, other, ROWS);
  // The other order names a row of the first as well.
  await stores.query(
    `INSERT INTO memory_sealed_rows (order_id, person_id, relation, row, until)
     SELECT $2::uuid, person_id, relation, row, until FROM memory_sealed_rows WHERE order_id = $1 LIMIT 1`,
    [one, other],
  );
  const { back, looked } = await database.asPerson(personId, async (tx) => {
    const restored = await new SealedRows(database, 'memory_sealed_rows').restore(tx, one);
    const [{ read } = { read: 0 }] = await tx.$queryRaw<{ read: number }[]>`
      SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read FROM pg_stat_xact_user_tables
      WHERE relname = 'memory_sealed_rows'`;
    return { back: restored.get('memories'), looked: read };
  });
  expect(back).toHaveLength(ROWS - 1);
  expect(looked).toBeLessThan(20 * ROWS);
});
