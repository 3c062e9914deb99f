import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import {
  type AppError,
  type ForgetNamed,
  memoryContract,
  outreachContract,
  personalityContract,
  receiptOf,
} from '@kith/contracts';
import { eventually } from '@kith/testing';
import type { Speaker } from '../conversations/conversations.js';
import { answered, memoryOf, NOTHING_FORGOTTEN, withTalk } from '../e2e/talk.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { reviseLine } from '../redaction/revise-line.js';
import { listUndoable } from './list-undoable.js';
import { switchPrivateTalk } from './testing-private-talk.js';
import { away, withOrders } from '../e2e/orders.js';

const talk = withTalk();
const { ordersWith, withheldOf } = withOrders(talk);
const say = (where: Speaker) => talk.exchange(where);

it('an undo that was broken off goes on by itself', async () => {
  const where = await talk.place();
  const { turnId, messageId } = await say(where);
  const undoing = { isDown: true };
  const { orders, forget, askedOf } = ordersWith({
    [memoryContract.undoForget.pattern]: () => (undoing.isDown ? away() : { rows: 0, unread: [] }),
  });
  const { receipt } = await forget(where.personId, messageId);
  const message = expect.stringContaining('comes back by itself, if its ten minutes are not over');
  const noted = { code: 'unavailable', message, details: { receipt } };
  await expect(orders.undo(where.personId, receipt!)).rejects.toMatchObject(noted);
  await talk.stores.query(`UPDATE forget_orders SET at = at - interval '1 minute' WHERE id = $1`, [receipt]);
  undoing.isDown = false;
  expect(await orders.resume()).toBe(1);
  expect(await withheldOf(turnId)).toEqual([null, null]);
  expect(askedOf(memoryContract.forget)).toHaveLength(1);
  expect(askedOf(outreachContract.undoForget)).toMatchObject([{ turnIds: [turnId] }]);
  expect(await talk.stores.query('SELECT 1 FROM forget_orders WHERE id = $1', [receipt])).toEqual([]);
});

it('an undo lets a reply that still waits be sent', async () => {
  const where = await talk.place();
  const { turnId, messageId } = await say(where);
  await talk.stores.query(
    `INSERT INTO outbox (id, turn_id, conversation_id, person_id, door, target, text)
     SELECT gen_random_uuid(), turn_id, conversation_id, person_id, 'discord', '{}', 'hello'
     FROM turns WHERE turn_id = $1`,
    [turnId],
  );
  const isForgotten = async () => {
    const [row] = await talk.stores.query('SELECT forgotten_at FROM outbox WHERE turn_id = $1', [turnId]);
    return row!['forgotten_at'] !== null;
  };
  const { orders, forget } = ordersWith({});
  const { receipt } = await forget(where.personId, messageId);
  expect(await isForgotten()).toBe(true);
  await orders.undo(where.personId, receipt!);
  expect(await isForgotten()).toBe(false);
});

it('an undo tells nothing of private talk that was forgotten with the rest', async () => {
  const where = await talk.place();
  await switchPrivateTalk(talk.database, where, true);
  const { turnId, messageId } = await say(where);
  expect(await withheldOf(turnId)).toEqual(['private', 'private']);
  const { orders, forget } = ordersWith({});
  const { receipt } = await forget(where.personId, messageId);
  await orders.undo(where.personId, receipt!);
  expect(await withheldOf(turnId)).toEqual(['forgotten', 'forgotten']);

  const open = randomUUID();
  await talk.accept(where, open);
  const [claim, turn] = [await talk.claim(where), answered()];
  const meanwhile = await forget(where.personId, open);
  await commitTurn(talk.database, claim, turn, false);
  await orders.undo(where.personId, meanwhile.receipt!);
  expect(await withheldOf(turn.turnId)).toEqual(['forgotten', 'forgotten']);
});

it('an undo tells no reply that never arrived', async () => {
  const where = await talk.place();
  const { turnId, messageId } = await say(where);
  const { orders, forget } = ordersWith({});
  const { receipt } = await forget(where.personId, messageId);
  await talk.stores.query(
    `INSERT INTO outbox (id, turn_id, conversation_id, person_id, door, target, text, status)
     SELECT gen_random_uuid(), turn_id, conversation_id, person_id, 'discord', '{}', '', 'dropped'
     FROM turns WHERE turn_id = $1`,
    [turnId],
  );
  await orders.undo(where.personId, receipt!);
  expect(await withheldOf(turnId)).toEqual([null, 'undelivered']);
});

it('an undo that is begun again brings back no reply that somebody else’s order took since', async () => {
  const [ann, bob] = (await talk.channelOf(2)) as [Speaker, Speaker];
  const word = await talk.sayTo(ann, 'My word is zebra77.', 'I see.');
  const { turnId, messageId } = await talk.sayTo(bob, 'Which word did she say?', 'It was zebra77.');
  const undoing = { isDown: true };
  const { orders, forget } = ordersWith({
    [memoryContract.undoForget.pattern]: () => (undoing.isDown ? away() : { rows: 0, unread: [] }),
  });
  const { receipt } = await forget(bob.personId, messageId);
  await expect(orders.undo(bob.personId, receipt!)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await withheldOf(turnId)).toEqual([null, null]);
  await forget(ann.personId, word.messageId);
  expect(await withheldOf(turnId)).toEqual([null, 'forgotten']);
  await talk.stores.query(`UPDATE forget_orders SET at = at - interval '1 minute' WHERE id = $1`, [receipt]);
  undoing.isDown = false;
  expect(await orders.resume()).toBe(1);
  expect(await withheldOf(turnId)).toEqual([null, 'forgotten']);
  expect(await talk.stores.query('SELECT 1 FROM forget_orders WHERE id = $1', [receipt])).toEqual([]);
});

it('an undo brings back no reply that repeats what somebody else had forgotten since', async () => {
  const [ann, bob] = (await talk.channelOf(2)) as [Speaker, Speaker];
  const word = await talk.sayTo(ann, 'My word is zebra77.', 'I see.');
  const { turnId, messageId } = await talk.sayTo(bob, 'Which word did she say?', 'It was zebra77.');
  const { orders, forget } = ordersWith({});
  const { receipt } = await forget(bob.personId, messageId);
  const later = await forget(ann.personId, word.messageId);
  expect(await orders.undo(bob.personId, receipt!)).toMatchObject({ lines: 1 });
  expect(await withheldOf(turnId)).toEqual([null, 'forgotten']);
  await orders.undo(ann.personId, later.receipt!);
  expect(await withheldOf(turnId)).toEqual([null, null]);
});

it('an undo whose time was ended before it was carried out brings nothing back, and is over', async () => {
  const where = await talk.place();
  const { turnId, messageId } = await say(where);
  const { orders, forget, asked } = ordersWith({});
  const { receipt } = await forget(where.personId, messageId);
  // As of an undo that was broken off at its beginning, of somebody in a server that was left since.
  await talk.stores.query(
    `UPDATE forget_orders SET reason = 'undone', finished_at = NULL, at = at - interval '1 minute', undo_until = now()
     WHERE id = $1`,
    [receipt],
  );
  asked.length = 0;
  expect(await orders.resume()).toBe(1);
  expect(await withheldOf(turnId)).toEqual(['forgotten', 'forgotten']);
  expect(asked).toEqual([]);
  for (const rest of ['sealed_lines WHERE order_id', 'forget_orders WHERE id'])
    expect(await talk.stores.query(`SELECT 1 FROM ${rest} = $1`, [receipt])).toEqual([]);
});

it('an undo that was broken off has the same turns remembered when it is tried again', async () => {
  const where = await talk.place();
  const { turnId, messageId } = await say(where);
  const undoing = { isDown: true };
  const { orders, forget, askedOf, told } = ordersWith({
    [memoryContract.undoForget.pattern]: () => (undoing.isDown ? away() : { rows: 0, unread: [] }),
  });
  const { receipt } = await forget(where.personId, messageId);
  expect(await withheldOf(turnId)).toEqual(['forgotten', 'forgotten']);
  await expect(orders.undo(where.personId, receipt!)).rejects.toMatchObject({ code: 'unavailable' });
  undoing.isDown = false;
  expect(await orders.undo(where.personId, receipt!)).toEqual({ rows: 0, lines: 2 });
  expect(askedOf(memoryContract.undoForget)).toMatchObject([{ turnIds: [turnId] }, { turnIds: [turnId] }]);
  expect(await withheldOf(turnId)).toEqual([null, null]);
  expect(told).toEqual([where.personId, where.personId]);
  // Nothing of it is left that could be undone, or read.
  expect(await talk.stores.query('SELECT 1 FROM sealed_lines WHERE order_id = $1', [receipt])).toEqual([]);
  await expect(orders.undo(where.personId, receipt!)).rejects.toMatchObject({ code: 'not_found' });
});

it('two undos at once put back once, and the second finds nothing to undo', async () => {
  const { personId, ...where } = await talk.place();
  const { messageId } = await say({ personId, ...where });
  const begun = new AbortController();
  const { orders, forget, askedOf } = ordersWith({
    [memoryContract.undoForget.pattern]: () => (begun.abort(), { rows: 3, unread: [] }),
  });
  const { receipt } = await forget(personId, messageId);
  // The first can't delete its seals for a while, as when another order works on them.
  const [first, second] = await talk.database.asSystem(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM sealed_lines WHERE order_id = ${receipt}::uuid FOR UPDATE`;
    const undoing = orders.undo(personId, receipt!);
    await once(begun.signal, 'abort');
    return [undoing, await orders.undo(personId, receipt!).catch((error: unknown) => error)];
  });
  expect(second).toMatchObject({ code: 'not_found' });
  expect(await first).toEqual({ rows: 3, lines: 2 });
  expect(askedOf(memoryContract.undoForget)).toHaveLength(1);
});

it('an undo brings back no line that a later order names, as long as that one stands', async () => {
  const { orders } = ordersWith({});
  const where = await talk.place();
  const { personId } = where;
  const forget = (what: ForgetNamed) => orders.forget({ personId, what, keepTalk: false, preview: false });
  const { turnId, messageId } = await say(where);
  const open = randomUUID();
  await talk.accept(where, open);
  const claim = await talk.claim(where);
  const first = await forget({ kind: 'sources', sources: [messageId, open] });
  const second = await forget({ kind: 'all' });
  expect(await orders.undo(personId, first.receipt!)).toMatchObject({ lines: 0 });
  expect(await withheldOf(turnId)).toEqual(['forgotten', 'forgotten']);
  const turn = answered();
  await commitTurn(talk.database, claim, turn, false);
  expect(await withheldOf(turn.turnId)).toEqual(['forgotten', 'forgotten']);
  expect(await orders.undo(personId, second.receipt!)).toMatchObject({ lines: 3 });
  expect(await withheldOf(turnId)).toEqual([null, null]);
  expect(await withheldOf(turn.turnId)).toEqual([null, 'forgotten']);
});

it('an undo waits for who carries the order out, and nobody does so after it', async () => {
  const where = await talk.place();
  const { turnId, messageId } = await say(where);
  const memory = { isDown: true };
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  const { orders, forget, askedOf } = ordersWith({
    [memoryContract.forget.pattern]: async () => {
      if (memory.isDown) away();
      await held;
      return { rows: 0, points: 0, memories: [], sources: [messageId], memoryIds: [], others: [] };
    },
  });
  const forgetting = forget(where.personId, messageId);
  const refused = await forgetting.catch((error: unknown) => error as AppError);
  const receipt = 'details' in refused ? String(refused.details?.['receipt']) : '';
  memory.isDown = false;
  await talk.stores.query(`UPDATE forget_orders SET at = at - interval '1 minute' WHERE id = $1`, [receipt]);
  // The lock of the one that failed goes with its connection, which Postgres may notice a moment later.
  const isFree = () => talk.database.withLock(`gateway.forget ${receipt}`, async () => undefined);
  await eventually('its lock is free', isFree);
  const resuming = orders.resume();
  await eventually('it is carried out', async () => askedOf(memoryContract.forget).length === 2);
  const undoing = orders.undo(where.personId, receipt);
  release();
  expect(await undoing).toMatchObject({ lines: 2 });
  await resuming;
  expect(await orders.resume()).toBe(0);
  expect(askedOf(memoryContract.forget)).toHaveLength(2);
  expect(await withheldOf(turnId)).toEqual([null, null]);
});

describe('an undo brings back no reply', () => {
  const KNEE = ['My knee hurts', 'Poor knee.'] as const;
  const BOSS = ['My boss Zephyrine yelled', 'Your knee and now Zephyrine, what a week.'] as const;
  const byId = (messageId: string) => ({
    [memoryContract.forget.pattern]: () => ({
      rows: 1,
      points: 0,
      memories: [],
      memoryIds: [randomUUID()],
      sources: [messageId],
      others: [],
    }),
  });
  const forgetById = (personId: string, messageId: string) =>
    ordersWith(byId(messageId)).orders.forget({
      personId,
      what: { kind: 'ids', ids: [randomUUID()] },
      keepTalk: false,
      preview: false,
    });

  it('to what a later order took, until that is undone', async () => {
    const where = await talk.place();
    const first = await talk.sayTo(where, ...KNEE);
    const second = await talk.sayTo(where, ...BOSS);
    const one = await forgetById(where.personId, first.messageId);
    expect(await withheldOf(second.turnId)).toEqual([null, 'forgotten']);
    const two = await forgetById(where.personId, second.messageId);
    const { orders, askedOf } = ordersWith({});
    expect(await orders.undo(where.personId, one.receipt!)).toMatchObject({ lines: 2 });
    expect(await withheldOf(first.turnId)).toEqual([null, null]);
    expect(await withheldOf(second.turnId)).toEqual(['forgotten', 'forgotten']);
    expect(askedOf(personalityContract.forget)).toMatchObject([{ replyTurnIds: [second.turnId] }]);
    expect(await orders.undo(where.personId, two.receipt!)).toMatchObject({ lines: 2 });
    expect(await withheldOf(second.turnId)).toEqual([null, null]);
  });

  it('nor line that an order of before took as well, which was carried out late', async () => {
    const where = await talk.place();
    const { turnId, messageId } = await talk.sayTo(where, ...KNEE);
    const what = { kind: 'sources' as const, sources: [messageId] };
    const asked = { personId: where.personId, what, keepTalk: false, preview: false };
    const late = ordersWith({ [memoryContract.forget.pattern]: away });
    const receipt = receiptOf(await late.orders.forget(asked).catch((error: unknown) => error));
    const { orders } = ordersWith({});
    const two = await orders.forget(asked);
    await orders.follow(receipt!, where.personId);
    await orders.undo(where.personId, two.receipt!);
    expect(await withheldOf(turnId)).toEqual(['forgotten', 'forgotten']);
    await orders.undo(where.personId, receipt!);
    expect(await withheldOf(turnId)).toEqual([null, null]);
  });

  it('that repeats what a later order took, in whichever conversation', async () => {
    const boss = await talk.place();
    const said = await talk.sayTo(boss, BOSS[0], 'Oh.');
    const where = await talk.placeOf(boss.personId);
    const knee = await talk.sayTo(where, KNEE[0], BOSS[1]);
    const one = await forgetById(boss.personId, knee.messageId);
    const two = await forgetById(boss.personId, said.messageId);
    const { orders } = ordersWith({});
    await orders.undo(boss.personId, one.receipt!);
    expect(await withheldOf(knee.turnId)).toEqual([null, 'forgotten']);
    await orders.undo(boss.personId, two.receipt!);
    expect(await withheldOf(knee.turnId)).toEqual([null, null]);
  });

  it('that repeats a memory without a line which a later order took, until that is undone', async () => {
    const where = await talk.place();
    const memory = { ...memoryOf('direct'), text: 'Their boat is Zephyrine.' };
    const messageId = randomUUID();
    await talk.accept(where, messageId);
    const turn = { ...answered(), reply: 'Take Zephyrine out.', details: { recalled: [memory] } };
    await commitTurn(talk.database, await talk.claim(where), turn, false);
    const one = await forgetById(where.personId, messageId);
    const found = { ...NOTHING_FORGOTTEN, rows: 1, memoryIds: [memory.id] };
    const { orders } = ordersWith({ [memoryContract.forget.pattern]: () => found });
    const what = { kind: 'ids' as const, ids: [memory.id] };
    const two = await orders.forget({ personId: where.personId, what, keepTalk: false, preview: false });
    await orders.undo(where.personId, one.receipt!);
    expect(await withheldOf(turn.turnId)).toEqual([null, 'forgotten']);
    await orders.undo(where.personId, two.receipt!);
    expect(await withheldOf(turn.turnId)).toEqual([null, null]);
  });

  it.each(['ids', 'all'] as const)('that repeats what a later order names as well (%s)', async (kind) => {
    const [ann, bob] = (await talk.channelOf(2)) as [Speaker, Speaker];
    const boss = await talk.sayTo(ann, BOSS[0], 'Oh.');
    const { turnId } = await talk.sayTo(bob, KNEE[0], BOSS[1]);
    await talk.stores.query('DELETE FROM transcript WHERE turn_id = $1', [boss.turnId]);
    await talk.stores.query(`UPDATE inbox SET text = '' WHERE external_id = $1`, [boss.messageId]);
    const memory = { ...memoryOf('direct'), text: BOSS[0], sources: [boss.messageId] };
    const found = { ...NOTHING_FORGOTTEN, memoryIds: [memory.id], sources: memory.sources };
    const by = { personId: ann.personId, keepTalk: false, preview: false };
    const what = { kind: 'ids' as const, ids: [memory.id] };
    const { orders } = ordersWith({
      [memoryContract.forget.pattern]: () => ({ ...found, memories: [memory] }),
    });
    const one = await orders.forget({ ...by, what });
    // Memory shows no words any more that an order took.
    const again = ordersWith({ [memoryContract.forget.pattern]: () => found });
    const two = await again.orders.forget({ ...by, what: kind === 'all' ? { kind } : what });
    await orders.undo(ann.personId, one.receipt!);
    expect(await withheldOf(turnId)).toEqual([null, 'forgotten']);
    await orders.undo(ann.personId, two.receipt!);
    expect(await withheldOf(turnId)).toEqual([null, null]);
  });

  it('that repeats a line which was named by a later order as well', async () => {
    const where = await talk.place();
    const { turnId, messageId } = await talk.sayTo(where, ...KNEE);
    const one = await forgetById(where.personId, messageId);
    await forgetById(where.personId, messageId);
    expect(await ordersWith({}).orders.undo(where.personId, one.receipt!)).toMatchObject({ lines: 0 });
    expect(await withheldOf(turnId)).toEqual(['forgotten', 'forgotten']);
  });

  it.each([
    ['', () => talk.place().then((where) => [where, where])],
    [' of another person', () => talk.channelOf(2)],
  ])(
    'that repeats what a later order%s took from talk that retention had taken, until that is undone',
    async (_, make) => {
      const [where, other] = (await make()) as [Speaker, Speaker];
      const boss = await talk.sayTo(other, BOSS[0], 'Oh.');
      const knee = await talk.sayTo(where, KNEE[0], BOSS[1]);
      const one = await forgetById(where.personId, knee.messageId);
      await talk.stores.query('DELETE FROM transcript WHERE turn_id = $1', [boss.turnId]);
      await talk.stores.query(`UPDATE inbox SET text = '' WHERE external_id = $1`, [boss.messageId]);
      const memory = { ...memoryOf('direct'), text: BOSS[0], sources: [boss.messageId] };
      const known = { ...NOTHING_FORGOTTEN, memories: [memory], sources: [boss.messageId] };
      const { orders, forget } = ordersWith({ [memoryContract.forget.pattern]: () => known });
      const two = await forget(other.personId, boss.messageId);
      await orders.undo(where.personId, one.receipt!);
      expect(await withheldOf(knee.turnId)).toEqual([null, 'forgotten']);
      await orders.undo(other.personId, two.receipt!);
      expect(await withheldOf(knee.turnId)).toEqual([null, null]);
    },
  );

  it.each([
    ['edited', 'changed'],
    ['deleted', null],
  ])('that repeats what was %s meanwhile', async (_, text) => {
    const where = await talk.place();
    const boss = await talk.sayTo(where, BOSS[0], 'Oh.');
    const knee = await talk.sayTo(where, KNEE[0], BOSS[1]);
    const { receipt } = await forgetById(where.personId, knee.messageId);
    await reviseLine(talk.database, { door: 'discord', messageId: boss.messageId, text });
    expect(await ordersWith({}).orders.undo(where.personId, receipt!)).toMatchObject({ lines: 1 });
    expect(await withheldOf(knee.turnId)).toEqual([null, 'forgotten']);
  });

  it('to a message that was forgotten, and deleted since', async () => {
    const where = await talk.place();
    const { turnId, messageId } = await talk.sayTo(where, ...KNEE);
    const later = await talk.sayTo(where, 'Hm', 'Mind your knee.');
    const { receipt } = await forgetById(where.personId, messageId);
    await reviseLine(talk.database, { door: 'discord', messageId, text: null });
    expect(await ordersWith({}).orders.undo(where.personId, receipt!)).toMatchObject({ lines: 0 });
    expect(await withheldOf(turnId)).toEqual(['deleted', 'deleted']);
    expect(await withheldOf(later.turnId)).toEqual([null, 'forgotten']);
  });
});

it('lists a person’s own orders while they can be undone, the newest first, and none of what they took', async () => {
  const ann = await talk.place();
  const told = await talk.sayTo(ann, 'My dog is Rex', 'Good Rex.');
  const by = { personId: ann.personId, keepTalk: false, preview: false };
  const { orders } = ordersWith({});
  const one = await orders.forget({ ...by, what: { kind: 'sources', sources: [told.messageId] } });
  const two = await orders.forget({ ...by, companionId: 'mira', what: { kind: 'all' } });
  await orders.forgetSource(ann.personId, 'document');
  await talk.stores.query(
    `INSERT INTO forget_orders (id, person_id, reason, what, undo_until)
     VALUES (gen_random_uuid(), $1, 'forgotten', '{"kind":"sources","sources":["x"],"ofOther":true}', now() + interval '1 hour')`,
    [ann.personId],
  );
  const undoable = async () => (await listUndoable(talk.database, ann.personId)).orders;
  expect(await undoable()).toEqual([
    expect.objectContaining({ receipt: two.receipt, companionId: 'mira', what: { kind: 'all' } }),
    expect.objectContaining({ receipt: one.receipt, what: { kind: 'sources', sources: [told.messageId] } }),
  ]);
  expect(JSON.stringify(await undoable())).not.toContain('Rex');
  await orders.undo(ann.personId, two.receipt!);
  await talk.stores.query(`UPDATE forget_orders SET undo_until = now() - interval '1 s' WHERE id = $1`, [
    one.receipt,
  ]);
  expect(await undoable()).toEqual([]);
  expect((await listUndoable(talk.database, (await talk.place()).personId)).orders).toEqual([]);
});
