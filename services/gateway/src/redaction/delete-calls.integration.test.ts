import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sql } from '@kith/database';
import type { Speaker } from '../conversations/conversations.js';
import { answered, NOTHING_MADE, withTalk } from '../e2e/talk.js';
import { reviseMessage } from '../inbox/revise-message.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { markOpen, type LineChoice } from './choose-lines.js';
import { deleteSharedLines } from './delete-shared-lines.js';
import { reviseLine } from './revise-line.js';
import { switchPrivateTalk } from '../forgetting/testing-private-talk.js';
import { insertStep } from '../steps/step-log.js';
import { ToolCallRecords } from '../tools/permission/tool-call-records.js';
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

it('calls of private talk go when it ends, those before it stay', async () => {
  const where = await talk.place();
  await call(where, null);
  await talk.stores.query(`UPDATE tool_calls SET asked_at = now() - interval '1 hour' WHERE person_id = $1`, [
    where.personId,
  ]);
  await switchPrivateTalk(talk.database, where, true);
  await call(where, null);
  await answer(where, async () => undefined);
  expect(await callsOf(where)).toBe(3);
  await switchPrivateTalk(talk.database, where, false);
  expect(await callsOf(where)).toBe(1);
});

it('a turn that ends after private talk keeps no call', async () => {
  const where = await talk.place();
  await switchPrivateTalk(talk.database, where, true);
  await talk.accept(where, randomUUID());
  const claim = await talk.claim(where);
  const turn = answered();
  await call(where, turn.turnId);
  await talk.stores.query(`UPDATE tool_calls SET status = 'done', result = 'sent' WHERE person_id = $1`, [
    where.personId,
  ]);
  await switchPrivateTalk(talk.database, where, false);
  // The turn may be taken again: it must not call again.
  const left = await talk.stores.query('SELECT arguments, result FROM tool_calls WHERE person_id = $1', [
    where.personId,
  ]);
  expect(left).toEqual([{ arguments: {}, result: null }]);
  await call(where, turn.turnId);
  await commitTurn(talk.database, claim, turn, false);
  expect(await callsOf(where)).toBe(0);
});

describe('a question of a turn that is told no more', () => {
  const say = async (where: Speaker) => (await talk.exchange(where)).messageId;

  it.each(['new', null])('goes with what its person changes meanwhile', async (text) => {
    const where = await talk.place();
    const messageId = await say(where);
    await answer(where, () => reviseLine(talk.database, { door: 'discord', messageId, text }));
    expect(await callsOf(where)).toBe(0);
  });

  it('stays when somebody else changes something, but for a call that was made', async () => {
    const [ann, ben] = await talk.channelOf(2);
    const messageId = await say(ann!);
    const change = () => reviseLine(talk.database, { door: 'discord', messageId, text: 'new' });
    await answer(ben!, async () => {
      await change();
      // Nor does a reply of their own that did not arrive take anything from what they said.
      await talk.stores.query(
        `INSERT INTO forget_orders (id, person_id, reason, what) VALUES (gen_random_uuid(), $1, 'undelivered', '{}')`,
        [ben!.personId],
      );
    });
    expect(await callsOf(ben!)).toBe(1);
    await answer(ben!, async () => {
      await talk.stores.query(`UPDATE tool_calls SET status = 'done' WHERE person_id = $1`, [ben!.personId]);
      await reviseLine(talk.database, { door: 'discord', messageId, text: 'newer' });
    });
    expect(await callsOf(ben!)).toBe(1);
  });

  it('goes where its very message was forgotten before the turn began', async () => {
    const where = await talk.place();
    await talk.accept(where, randomUUID());
    const choice = { personId: where.personId, companionId: null, what: { before: new Date() } };
    await talk.database.asSystem((tx) => markOpen(tx, randomUUID(), choice));
    const turn = answered();
    await call(where, turn.turnId);
    await commitTurn(talk.database, await talk.claim(where), turn, false);
    expect(await callsOf(where)).toBe(0);
  });

  it('stays when an order of its person was over before', async () => {
    const [ann, ben] = await talk.channelOf(2);
    const [annsId, bensId] = [await say(ann!), await say(ben!)];
    await reviseLine(talk.database, { door: 'discord', messageId: bensId, text: 'new' });
    await talk.stores.query('UPDATE forget_orders SET finished_at = now() WHERE person_id = $1', [
      ben!.personId,
    ]);
    await answer(ben!, () => reviseLine(talk.database, { door: 'discord', messageId: annsId, text: 'new' }));
    expect(await callsOf(ben!)).toBe(1);
  });
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

it.each(['done', 'running'])(
  'a call that a turn under way made (%s) stays without its words until its end',
  async (status) => {
    const where = await talk.place();
    await talk.accept(where, randomUUID());
    const claim = await talk.claim(where);
    const turn = answered();
    await call(where, turn.turnId);
    await talk.stores.query(
      `UPDATE tool_calls SET status = $2, result = 'It is sent.' WHERE person_id = $1`,
      [where.personId, status],
    );
    const orderId = randomUUID();
    const choice = { personId: where.personId, companionId: null, what: { before: new Date() } };
    const redactor = new TranscriptRedactor(talk.database);
    await talk.database.asSystem((tx) => markOpen(tx, orderId, choice));
    await redactor.forget({ orderId, until: null, keepTalk: false }, choice, { memoryIds: [], sources: [] });
    const left = await talk.stores.query(
      'SELECT status, arguments, result FROM tool_calls WHERE person_id = $1',
      [where.personId],
    );
    expect(left).toEqual([{ status: status === 'done' ? 'done' : 'failed', arguments: {}, result: null }]);
    await commitTurn(talk.database, claim, turn, false);
    expect(await callsOf(where)).toBe(0);
  },
);

describe('a call of another turn', () => {
  const CALL = { name: 'order', changes: 'outside' as const, state: 'planned' as const };
  const STEP = {
    number: 1,
    model: 'test',
    promptTokens: 1,
    completionTokens: 1,
    sealed: null,
    calls: [CALL],
  };

  /** Answers words with a call in this state, in whose arguments and result the lawyer's name stands. */
  async function callAfter(where: Speaker, text: string, status: string): Promise<string> {
    const messageId = randomUUID();
    await talk.say(where, { externalId: messageId, text, target: null });
    const turn = { ...answered(), lastStep: STEP };
    await call(where, turn.turnId);
    await talk.stores.query(
      `UPDATE tool_calls SET status = $2, arguments = '{"to": ["Ostrander"]}', expires_at = now() + interval '1 hour',
         result = CASE WHEN $2 = 'waiting' THEN NULL ELSE 'Sent to Ostrander.' END WHERE turn_id = $1`,
      [turn.turnId, status],
    );
    await commitTurn(talk.database, await talk.claim(where), turn, false);
    return messageId;
  }
  const leftOf = ({ personId }: Speaker) =>
    talk.stores.query('SELECT status, arguments, result FROM tool_calls WHERE person_id = $1', [personId]);
  const change = (messageId: string, text: string | null) =>
    reviseLine(talk.database, { door: 'discord', messageId, text });
  const forget = ({ personId }: Speaker, source: string) =>
    new TranscriptRedactor(talk.database).forget(
      { orderId: randomUUID(), until: null, keepTalk: false },
      { personId, companionId: null, what: { sources: [source] } },
      { memoryIds: [], sources: [source] },
    );
  const LAWYER = 'My lawyer is Ostrander.';
  const WAYS: [string, (who: Speaker, messageId: string) => Promise<unknown>][] = [
    ['forgotten', forget],
    ['deleted', (_, messageId) => change(messageId, null)],
    ['edited', (_, messageId) => change(messageId, 'My lawyer is fine.')],
  ];

  it.each(WAYS)('is known and has no words once a line is %s that it may repeat', async (_, take) => {
    const where = await talk.place();
    const { messageId } = await talk.sayTo(where, LAWYER, 'I see.');
    await callAfter(where, 'write to my lawyer', 'done');
    await callAfter(where, 'write to them again', 'running');
    await take(where, messageId);
    expect(await leftOf(where)).toEqual([
      { status: 'done', arguments: {}, result: null },
      { status: 'failed', arguments: {}, result: null },
    ]);
  });

  it.each(WAYS)('asks no more for words of a line that is %s, also of another person', async (_, take) => {
    const [ann, ben] = (await talk.channelOf(2)) as [Speaker, Speaker];
    const { messageId } = await talk.sayTo(ann, LAWYER, 'I see.');
    for (const who of [ann, ben]) {
      await callAfter(who, 'write to the lawyer', 'waiting');
      await callAfter(who, 'write to Ostrander', 'waiting');
    }
    await take(ann, messageId);
    // Whoever said the name again is still to answer.
    for (const who of [ann, ben]) expect(await leftOf(who)).toMatchObject([{ status: 'waiting' }]);
  });

  it('is known by how it ended where it was being made meanwhile', async () => {
    const where = await talk.place();
    const { messageId } = await talk.sayTo(where, LAWYER, 'I see.');
    await callAfter(where, 'write to my lawyer', 'running');
    await change(messageId, null);
    const [made] = await talk.stores.query('SELECT id FROM tool_calls WHERE person_id = $1', [
      where.personId,
    ]);
    const records = new ToolCallRecords(talk.database);
    await records.end(where.personId, String(made!['id']), 'done', 'Sent to Ostrander.');
    expect(await leftOf(where)).toEqual([{ status: 'done', arguments: {}, result: null }]);
  });

  it('goes on asking for what the message says that is being answered', async () => {
    const [ann, ben] = (await talk.channelOf(2)) as [Speaker, Speaker];
    for (const text of ['write to Ostrander', 'write to the lawyer']) {
      const { messageId } = await talk.sayTo(ann, LAWYER, 'I see.');
      await talk.say(ben, { text, target: null });
      const claim = await talk.claim(ben);
      const turn = answered();
      await talk.database.write({ conversationId: ben.conversationId }, (tx) =>
        insertStep(tx, claim, turn.turnId, STEP, sql`true`),
      );
      await call(ben, turn.turnId);
      await talk.stores.query(`UPDATE tool_calls SET arguments = $2 WHERE turn_id = $1`, [
        turn.turnId,
        { text: 'Dear Sir,\nOstrander' },
      ]);
      await change(messageId, 'My lawyer is fine.');
      await commitTurn(talk.database, claim, turn, false);
    }
    expect(await leftOf(ben)).toMatchObject([{ status: 'waiting' }]);
  });

  it('loses what an edit takes from the very message that asked for it', async () => {
    const where = await talk.place();
    const messageId = await callAfter(where, 'write to Ostrander', 'done');
    await change(messageId, 'write to them');
    expect(await leftOf(where)).toEqual([{ status: 'done', arguments: {}, result: null }]);
  });

  it('asks no more for words of a person who is erased', async () => {
    const [ann, ben] = (await talk.channelOf(2)) as [Speaker, Speaker];
    await talk.sayTo(ann, LAWYER, 'I see.');
    await callAfter(ben, 'write to the lawyer', 'waiting');
    await callAfter(ben, 'write to them again', 'done');
    await deleteSharedLines(talk.database, ann.personId, NOTHING_MADE);
    expect(await leftOf(ben)).toEqual([{ status: 'done', arguments: {}, result: null }]);
  });
});

it.each([null, 'new'])(
  'a call that was made for a message keeps no words when that is changed before its answer',
  async (text) => {
    const where = await talk.place();
    const messageId = randomUUID();
    await talk.accept(where, messageId);
    const claim = await talk.claim(where);
    const turn = answered();
    await call(where, turn.turnId);
    await talk.stores.query(`UPDATE tool_calls SET status = 'done', result = 'sent' WHERE turn_id = $1`, [
      turn.turnId,
    ]);
    await reviseMessage(talk.database, { door: 'discord', messageId, text, at: new Date() });
    await expect(commitTurn(talk.database, claim, turn, false)).rejects.toThrow();
    const left = 'SELECT status, arguments, result FROM tool_calls WHERE turn_id = $1';
    expect(await talk.stores.query(left, [turn.turnId])).toEqual([
      { status: 'done', arguments: {}, result: null },
    ]);
  },
);
