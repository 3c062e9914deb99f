import { expect, it } from '@jest/globals';
import type { Database, Tx } from '@kith/database';
import { answered, withTalk } from '../e2e/talk.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { listTurns, traceTurn } from './trace-turn.js';

const talk = withTalk();

/** Turns of others. */
const OTHERS = 10_000;

it('shows a turn, and the latest ones, without reading everybody’s', async () => {
  await talk.stores.query(
    `WITH other AS (SELECT gen_random_uuid() AS turn, gen_random_uuid() AS person, gen_random_uuid() AS place,
       now() - n * interval '1 minute' AS at FROM generate_series(1, $1) AS n),
     turn AS (INSERT INTO turns (turn_id, conversation_id, person_id, companion_id, door, audience, origin, outcome,
        degraded, trace, started_at, ended_at)
       SELECT turn, place, person, 'mira', 'http', 'direct', 'message', 'answered', '{}', '{}', at, at FROM other),
     used AS (INSERT INTO usage (id, turn_id, person_id, model, prompt_tokens, completion_tokens, at)
       SELECT gen_random_uuid(), turn, person, 'm', 1, 1, at FROM other)
     INSERT INTO inbox (conversation_id, person_id, door, external_id, text, sent_at, turn_id, outcome, ended_at)
     SELECT place, person, 'http', turn::text, '', at, turn, 'answered', at FROM other`,
    [OTHERS],
  );
  const where = await talk.place();
  const turn = { ...answered(), reply: 'hi' };
  await talk.say(where, { text: 'hello', target: null });
  await commitTurn(talk.database, await talk.claim(where), turn, false);
  await talk.stores.query('ANALYZE turns, inbox, usage');
  const viewer = { personId: where.personId, isOperator: true };
  const read = (look: (counted: Database) => Promise<unknown>) =>
    talk.database.asSystem(async (tx) => {
      const asSystem = (work: (tx: Tx) => unknown) => work(tx);
      await look({
        asSystem,
        asPerson: (_: string, work: (tx: Tx) => unknown) => work(tx),
        reader: () => tx,
      } as unknown as Database);
      const rows = await tx.$queryRaw<{ read: number }[]>`
        SELECT sum(seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables`;
      return rows[0]!.read;
    });
  expect(await read((counted) => traceTurn(counted, viewer, turn.turnId))).toBeLessThan(100);
  expect(await read((counted) => listTurns(counted, viewer, { limit: 20 }))).toBeLessThan(100);
});
