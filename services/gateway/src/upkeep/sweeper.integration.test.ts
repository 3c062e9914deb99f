import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import { pino } from 'pino';
import { withTalk } from '../e2e/talk.js';
import { Sweeper } from './sweeper.js';

const talk = withTalk();

/** Runs a round, and returns whose messages it put back once it has ended. */
async function sweep(): Promise<string[]> {
  const dispatched: string[] = [];
  const state = { hasEnded: false };
  const sweeper = new Sweeper({
    database: talk.database,
    // What orders is looked at after the messages.
    messenger: {
      get canOrder() {
        state.hasEnded = true;
        return false;
      },
    } as never,
    turns: { dispatch: async ({ inboxId }) => void dispatched.push(inboxId) },
    openTurns: undefined as never,
    erasures: undefined as never,
    forgetting: undefined as never,
    privateTalk: undefined as never,
    places: undefined as never,
    logger: pino({ level: 'silent' }),
  });
  sweeper.start();
  await eventually('the round has ended', async () => state.hasEnded);
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
  const [leased, waiting, fresh] = await Promise.all(
    ['leased', 'waiting', 'fresh'].map(async (externalId) =>
      talk.accept(await talk.place(), externalId, true),
    ),
  );
  const ahead = `now() + interval '1 hour'`;
  await talk.stores.query(`UPDATE inbox SET lease_until = ${ahead} WHERE id = $1`, [leased!.inboxId]);
  await talk.stores.query(`UPDATE inbox SET lease_until = NULL, received_at = ${ahead} WHERE id = $1`, [
    waiting!.inboxId,
  ]);
  const putBack = await sweep();
  expect(putBack).toEqual(expect.arrayContaining([leased!.inboxId, waiting!.inboxId]));
  expect(putBack).not.toContain(fresh!.inboxId);
});
