import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { pino } from 'pino';
import type { Speaker } from '../conversations/conversations.js';
import { answered, withTalk } from '../e2e/talk.js';
import { commitTurn } from '../outcome/commit-turn.js';
import type { LineChoice } from './choose-lines.js';
import { outdateReplies } from './empty-lines.js';
import { PrivateTalk } from './private-talk.js';
import { TranscriptRedactor } from './transcript-redactor.js';

const talk = withTalk();

/** Notes a call of a tool, in a turn or of the person's own. */
async function call({ personId, conversationId }: Speaker, turnId: string | null): Promise<void> {
  await talk.stores.query(
    `INSERT INTO tool_calls (id, key, person_id, companion_id, conversation_id, turn_id, tool, pin, place, arguments,
       status)
     VALUES (gen_random_uuid(), gen_random_uuid()::text, $1, 'mira', $2, $3, 'order', 'pin', '{}',
       '{"to": "Zephyrstreet 5"}', 'waiting')`,
    [personId, turnId === null ? null : conversationId, turnId],
  );
}

async function callsOf({ personId }: Speaker): Promise<number> {
  return (await talk.stores.query('SELECT 1 FROM tool_calls WHERE person_id = $1', [personId])).length;
}

/** Answers a message with a call, after something that happens meanwhile. */
async function answer(where: Speaker, change: () => Promise<unknown>): Promise<void> {
  await talk.accept(where, randomUUID());
  const claim = await talk.claim(where);
  const turn = answered();
  await call(where, turn.turnId);
  await change();
  await commitTurn(talk.database, claim, turn, false);
}

/** Switches private talk of a person. */
function privately({ personId }: Speaker, isPrivate: boolean) {
  const since = isPrivate ? new Date(Date.now() - 1_000).toISOString() : null;
  const messenger = { ask: async () => ({ private: isPrivate, since }) };
  return new PrivateTalk(
    talk.lockedStores,
    messenger as never,
    () => undefined,
    pino({ level: 'silent' }),
  ).set(personId, isPrivate);
}

it('calls of private talk go when it ends, those before it stay', async () => {
  const where = await talk.place();
  await call(where, null);
  await talk.stores.query(`UPDATE tool_calls SET asked_at = now() - interval '1 hour' WHERE person_id = $1`, [
    where.personId,
  ]);
  await privately(where, true);
  await call(where, null);
  await answer(where, async () => undefined);
  expect(await callsOf(where)).toBe(3);
  await privately(where, false);
  expect(await callsOf(where)).toBe(1);
});

it('a turn that ends after private talk keeps no call', async () => {
  const where = await talk.place();
  await privately(where, true);
  await talk.accept(where, randomUUID());
  const claim = await talk.claim(where);
  await privately(where, false);
  const turn = answered();
  await call(where, turn.turnId);
  await commitTurn(talk.database, claim, turn, false);
  expect(await callsOf(where)).toBe(0);
});

it('a reply that is told no more keeps no question', async () => {
  const where = await talk.place();
  await answer(where, async () => undefined);
  expect(await callsOf(where)).toBe(1);
  await answer(where, () => talk.database.asSystem((tx) => outdateReplies(tx, where.personId, [])));
  expect(await callsOf(where)).toBe(1);
});

it('what the person called themselves goes with everything, or with its time', async () => {
  const forget = ({ personId }: Speaker, what: LineChoice['what'], keepTalk = false) =>
    new TranscriptRedactor(talk.database).forget(
      { orderId: randomUUID(), until: null, keepTalk },
      { personId, companionId: null, what },
      { memoryIds: [], sources: [] },
    );
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  const where = await talk.place();
  await call(where, null);
  await forget(where, { from: at(-2), to: at(-1) });
  await forget(where, { before: at(1) }, true);
  expect(await callsOf(where)).toBe(1);
  await forget(where, { from: at(-1), to: at(1) });
  expect(await callsOf(where)).toBe(0);
  await call(where, null);
  await forget(where, { before: at(1) });
  expect(await callsOf(where)).toBe(0);
});
