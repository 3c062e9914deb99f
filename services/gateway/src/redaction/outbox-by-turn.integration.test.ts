import { expect, it } from '@jest/globals';
import { sql } from '@kith/database';
import { withTalk } from '../e2e/talk.js';
import { lockReplies } from './empty-lines.js';
import { noteDelivered } from './undelivered-reply.js';

const talk = withTalk();

it('finds the reply of a turn by an index among all that were ever sent', async () => {
  const { turnId } = await talk.sayAtDiscord(await talk.place(), 'hello', 'hi');
  await talk.stores.query(
    `INSERT INTO outbox (id, turn_id, conversation_id, person_id, door, target, text, status, settled_at)
     SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'discord', '{}', '', 'delivered',
       now() FROM generate_series(1, 20000)`,
  );
  await talk.stores.query('ANALYZE outbox');
  const rows = await talk.database.asSystem(async (tx) => {
    await noteDelivered(tx, turnId, 'all');
    await lockReplies(tx, sql`turn_id = ${turnId}::uuid`);
    return tx.$queryRaw<{ read: number }[]>`
      SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables WHERE relname = 'outbox'`;
  });
  expect(rows[0]!.read).toBeLessThan(100);
});
