import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import { pino } from 'pino';
import { withTalk } from '../e2e/talk.js';
import { Sweeper } from './sweeper.js';

const talk = withTalk();

/** Runs rounds until so much is put back by the end of each, and returns the messages and deliveries. */
async function sweep(counts: readonly number[] = [0]): Promise<string[]> {
  const dispatched: string[] = [];
  const state = { hasEnded: false };
  const sweeper = new Sweeper({
    database: talk.database,
    // What orders is looked at after the messages.
    messenger: {
      get canOrder() {
        state.hasEnded = true;
        return true;
      },
      enqueue: async (_: unknown, { outboxId }: { outboxId: string }) => void dispatched.push(outboxId),
    } as never,
    turns: { dispatch: async ({ inboxId }) => void dispatched.push(inboxId) },
    openTurns: undefined as never,
    erasures: undefined as never,
    forgetting: undefined as never,
    privateTalk: undefined as never,
    places: undefined as never,
    logger: pino({ level: 'silent' }),
  });
  for (const count of counts) {
    sweeper.start();
    await eventually('the round has ended', async () => state.hasEnded && dispatched.length >= count);
  }
  await sweeper.stop();
  return dispatched;
}

it('ends a message whose conversation was deleted, which nobody could claim, without forgotten words', async () => {
  const where = await talk.place();
  const { inboxId } = await talk.accept(where, randomUUID());
  await talk.stores.query('UPDATE inbox SET forgotten_by = gen_random_uuid() WHERE id = $1', [inboxId]);
  await talk.stores.query('DELETE FROM conversations WHERE conversation_id = $1', [where.conversationId]);
  await sweep();
  const rows = await talk.stores.query('SELECT outcome, outcome_reason, text FROM inbox WHERE id = $1', [
    inboxId,
  ]);
  expect(rows).toEqual([{ outcome: 'dropped', outcome_reason: 'gone', text: '' }]);
});

it('puts back what was received, or leased, before the clock was set back', async () => {
  const places = await Promise.all(Array.from({ length: 3 }, () => talk.place()));
  const [leased, waiting, fresh] = await Promise.all(
    places.map((place) => talk.accept(place, 'first', true)),
  );
  // Who wrote on has the lease with the first message.
  await talk.accept(places[0]!, 'next');
  const ahead = `now() + interval '1 hour'`;
  await talk.stores.query(`UPDATE inbox SET lease_until = ${ahead} WHERE id = $1`, [leased!.inboxId]);
  await talk.stores.query(`UPDATE inbox SET lease_until = NULL, received_at = ${ahead} WHERE id = $1`, [
    waiting!.inboxId,
  ]);
  const putBack = await sweep();
  expect(putBack).toEqual(expect.arrayContaining([leased!.inboxId, waiting!.inboxId]));
  expect(putBack).not.toContain(fresh!.inboxId);
});

it('comes round to all that wait, however many there are', async () => {
  const { personId } = await talk.place();
  const overdue = `now() - interval '1 minute'`;
  const messages = await talk.stores.query<{ id: string }>(
    `WITH place AS (
       INSERT INTO conversations (conversation_id, companion_id, door, external_id, kind, audience)
       SELECT gen_random_uuid(), 'mira', 'discord', n, 'channel', 'channel:discord:' || n
       FROM generate_series(1, 201) AS n RETURNING conversation_id)
     INSERT INTO inbox (conversation_id, person_id, door, external_id, origin, text, sent_at, received_at)
     SELECT conversation_id, $1, 'discord', 'a', 'message', 'hello', now(), ${overdue} FROM place
     RETURNING id::text`,
    [personId],
  );
  const deliveries = await talk.stores.query<{ id: string }>(
    `INSERT INTO outbox (id, turn_id, conversation_id, person_id, door, target, text, created_at, platform_ids)
     SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), $1, 'discord', '{}', 'hi', ${overdue}, '{}'
     FROM generate_series(1, 201) RETURNING id::text`,
    [personId],
  );
  const putBack = new Set(await sweep([400, 402]));
  expect([...messages, ...deliveries].filter(({ id }) => !putBack.has(id))).toEqual([]);
});
