import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { AppError, memoryContract, outreachContract, personalityContract, receiptOf } from '@kith/contracts';
import { pino } from 'pino';
import type { Speaker } from '../conversations/conversations.js';
import { answered, withTalk } from '../e2e/talk.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { reviseLine } from '../redaction/revise-line.js';
import { OutboxAdmin } from '../delivery/outbox-admin.js';
import { noteDelivered } from '../redaction/undelivered-reply.js';
import { PrivateTalk } from './private-talk.js';
import { deleteFinished } from './delete-finished.js';
import { away, withOrders } from '../e2e/orders.js';

const talk = withTalk();
const { ordersWith, withheldOf } = withOrders(talk);
const say = (where: Speaker) => talk.exchange(where);

const STEP = {
  number: 1,
  model: 'test',
  promptTokens: 1,
  completionTokens: 1,
  sealed: 'a thought',
  calls: [],
};

it('tells a failure apart from a service that does not answer', async () => {
  const { personId } = await talk.place();
  const fails = (error: Error) =>
    ordersWith({
      [memoryContract.forget.pattern]: () => {
        throw error;
      },
    }).orders.forget({ personId, what: { kind: 'all' }, keepTalk: false, preview: false });
  await expect(fails(new AppError('unavailable', 'memory is away'))).rejects.toThrow('does not answer');
  await expect(fails(new Error('a broken row'))).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('has failed'),
    details: { receipt: expect.any(String) },
  });
  // No later test is to resume them.
  await talk.stores.query('DELETE FROM forget_orders WHERE person_id = $1', [personId]);
});

it('gives no receipt of an order without an undo', async () => {
  const { personId } = await talk.place();
  const { orders } = ordersWith({ [memoryContract.forget.pattern]: away });
  const refused = await orders.forgetSource(personId, 'document:1').catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('goes on by itself'),
  });
  expect(receiptOf(refused)).toBeUndefined();
  await talk.stores.query('DELETE FROM forget_orders WHERE person_id = $1', [personId]);
});

it('orders that a restore carries out again stay longer than others', async () => {
  const { personId } = await talk.place();
  await talk.stores.query(
    `INSERT INTO forget_orders (id, person_id, reason, what, finished_at)
     SELECT gen_random_uuid(), $1, reason, jsonb_build_object('days', days), now() - days * interval '1 day'
     FROM unnest('{forgotten,deleted,edited}'::text[]) AS reason, unnest('{6,89,91}'::int[]) AS days`,
    [personId],
  );
  await deleteFinished(talk.database);
  const left = await talk.stores.query(
    `SELECT reason, (what -> 'days')::int AS days FROM forget_orders WHERE person_id = $1 ORDER BY 2, 1`,
    [personId],
  );
  expect(left).toEqual([
    { reason: 'deleted', days: 6 },
    { reason: 'edited', days: 6 },
    { reason: 'forgotten', days: 6 },
    { reason: 'deleted', days: 89 },
    { reason: 'forgotten', days: 89 },
  ]);
});

it('shows what it would take also of messages that wait, and of private talk', async () => {
  const [ann] = (await talk.channelOf(1)) as [Speaker];
  await talk.accept(ann, randomUUID());
  await talk.sayTo(await talk.placeOf(ann.personId), 'A secret.', 'I see.');
  await talk.stores.query(`UPDATE transcript SET withheld = 'private' WHERE person_id = $1`, [ann.personId]);
  const { orders } = ordersWith({});
  const asked = { personId: ann.personId, what: { kind: 'all' as const }, keepTalk: false };
  const { lines, talk: shown } = await orders.forget({ ...asked, preview: true });
  expect(shown.map(({ text }) => text).toSorted()).toEqual(['A secret.', 'hello']);
  // The reply goes, too.
  expect(lines).toBe(3);
  expect(await orders.forget({ ...asked, preview: false })).toMatchObject({ lines });
  expect(await orders.forget({ ...asked, preview: true })).toMatchObject({ lines: 0, talk: [] });
});

it('shows what memory would lose where the talk is to stay', async () => {
  const { personId } = await talk.place();
  const { orders, askedOf } = ordersWith({});
  const what = { kind: 'ids' as const, ids: [randomUUID()] };
  for (const preview of [true, false]) await orders.forget({ personId, what, keepTalk: true, preview });
  expect(askedOf(memoryContract.forget)).toMatchObject([{ keepTalk: true }, { keepTalk: true }]);
});

it('counts a message that could not be answered, before and after it is forgotten', async () => {
  const { personId, conversationId } = await talk.place();
  await talk.accept({ personId, conversationId }, randomUUID());
  await talk.stores.query(
    `UPDATE inbox SET outcome = 'failed', ended_at = now() WHERE conversation_id = $1`,
    [conversationId],
  );
  const { orders } = ordersWith({});
  const asked = { personId, what: { kind: 'all' as const }, keepTalk: false };
  const preview = () => orders.forget({ ...asked, preview: true });
  expect(await preview()).toMatchObject({ lines: 1, talk: [{ text: 'hello' }] });
  expect(await orders.forget({ ...asked, preview: false })).toMatchObject({ lines: 1 });
  expect(await preview()).toMatchObject({ lines: 0 });
});

it('what a reply that did not arrive promised is looked at by the sweeper, which reports no interruption', async () => {
  const { orders } = ordersWith({});
  const { turnId } = await say(await talk.place());
  await talk.database.asSystem((tx) => noteDelivered(tx, turnId, 'nothing'));
  await talk.stores.query(
    `UPDATE forget_orders SET at = now() - interval '1 minute' WHERE what ->> 'turnId' = $1`,
    [turnId],
  );
  expect(await orders.resume()).toBe(0);
  const [order] = await talk.stores.query(
    `SELECT reason, finished_at IS NOT NULL AS done FROM forget_orders WHERE what ->> 'turnId' = $1`,
    [turnId],
  );
  expect(order).toEqual({ reason: 'undelivered', done: true });
});

it('names nothing that is said after it, also where its period reaches into the future', async () => {
  const { orders, askedOf } = ordersWith({});
  const [where] = (await talk.channelOf(1)) as [Speaker];
  const what = { kind: 'period' as const, from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
  await orders.forget({ personId: where.personId, what, keepTalk: false, preview: false });
  const [asked] = askedOf(memoryContract.forget) as [{ what: typeof what }];
  expect(Date.parse(asked.what.to)).toBeLessThanOrEqual(Date.now() + 1);
});

it('tells memory which turns began since everything was to be forgotten, where that is carried out late', async () => {
  const where = await talk.place();
  const { personId } = where;
  await say(where);
  let isAway = true;
  const { orders, askedOf } = ordersWith({
    [memoryContract.forget.pattern]: () =>
      isAway ? away() : { rows: 0, points: 0, memories: [], sources: [], memoryIds: [], others: [] },
  });
  const asked = { personId, what: { kind: 'all' as const }, keepTalk: false, preview: false };
  await expect(orders.forget(asked)).rejects.toThrow('does not answer');
  await talk.stores.query(`UPDATE forget_orders SET at = at - interval '1 hour' WHERE person_id = $1`, [
    personId,
  ]);
  await talk.stores.query(
    `UPDATE turns SET started_at = started_at - interval '2 hours' WHERE person_id = $1`,
    [personId],
  );
  const later = await say(where);
  isAway = false;
  expect(await orders.resume()).toBe(1);
  expect(askedOf(memoryContract.forget).at(-1)).toMatchObject({ saidAfter: { turnIds: [later.turnId] } });
  expect(await withheldOf(later.turnId)).toEqual([null, null]);
});

it('tells memory which messages of a period it may not have read: notes of them go by their ids', async () => {
  const { orders, askedOf } = ordersWith({});
  const [where] = (await talk.channelOf(1)) as [Speaker];
  const { messageId } = await talk.sayTo(where, 'I am expecting twins.', 'How lovely!');
  const what = {
    kind: 'period' as const,
    from: new Date(Date.now() - 300_000).toISOString(),
    to: '2100-01-01T00:00:00Z',
  };
  await orders.forget({ personId: where.personId, what, keepTalk: true, preview: false });
  expect(askedOf(memoryContract.forget)).toMatchObject([{ unread: [messageId] }]);
});

it('tells memory which messages it covered where a restore has it carried out again, also with its talk kept', async () => {
  const { orders, askedOf } = ordersWith({});
  const { personId } = await talk.place();
  const what = { kind: 'ids', ids: [randomUUID()], lineSources: ['m1', 'm2'] };
  await talk.stores.query(
    `INSERT INTO forget_orders (id, person_id, reason, what, keep_talk, at)
     VALUES (gen_random_uuid(), $1, 'forgotten', $2, true, now() - interval '1 day')`,
    [personId, what],
  );
  expect(await orders.resume()).toBe(1);
  expect(askedOf(memoryContract.forget)).toMatchObject([
    { unread: ['m1', 'm2'], what: { ids: what.ids }, keepTalk: true },
  ]);
});

it.each([
  ['all', () => ({ kind: 'all' as const })],
  [
    'of a period',
    () => ({ kind: 'period' as const, from: '2020-01-01T00:00:00Z', to: '2199-01-01T00:00:00Z' }),
  ],
  ['by name', (messageId: string) => ({ kind: 'sources' as const, sources: [messageId] })],
])(
  'names what is forgotten %s where retention has taken its line, and removes its reply',
  async (_, what) => {
    const where = await talk.place();
    const { turnId, messageId } = await say(where);
    await talk.stores.query(`DELETE FROM transcript WHERE turn_id = $1 AND role = 'person'`, [turnId]);
    const { orders, askedOf } = ordersWith({});
    const { personId } = where;
    const { receipt } = await orders.forget({
      personId,
      what: what(messageId),
      keepTalk: false,
      preview: false,
    });
    for (const request of [personalityContract.forget, outreachContract.forget])
      expect(askedOf(request)).toMatchObject([{ turnIds: [turnId], messageIds: [messageId] }]);
    expect(await withheldOf(turnId)).toEqual(['forgotten']);
    await orders.undo(personId, receipt!);
    expect(await withheldOf(turnId)).toEqual([null]);
  },
);

it('takes no other message with one that was deleted before a restore, and has that remembered again', async () => {
  const where = await talk.place();
  const { personId } = where;
  const [gone, other] = [await say(where), await say(where)];
  const { orders, askedOf } = ordersWith({
    [memoryContract.revise.pattern]: () => ({ memoryIds: [randomUUID()], others: [other.messageId] }),
  });
  const what = { kind: 'sources', sources: [gone.messageId], deletedIn: gone.turnId };
  await talk.stores.query(
    `INSERT INTO forget_orders (id, person_id, companion_id, reason, what, undo_until, at)
     VALUES (gen_random_uuid(), $1, $3, 'forgotten', $2, now(), now() - interval '1 day')`,
    [personId, what, 'mira'],
  );
  expect(await orders.resume()).toBe(1);
  expect(askedOf(memoryContract.forget)).toEqual([]);
  expect(askedOf(memoryContract.revise)).toMatchObject([{ source: gone.messageId, revision: null }]);
  expect(askedOf(memoryContract.reread)).toEqual([{ personId, turnIds: [other.turnId] }]);
  expect(await withheldOf(gone.turnId)).toEqual(['forgotten', 'forgotten']);
  expect(await withheldOf(other.turnId)).toEqual([null, null]);
});

it('takes no other message that says the same as what a forgotten fact came from, and has that remembered again', async () => {
  const where = await talk.place();
  const { personId } = where;
  const [told, again] = [await say(where), await say(where)];
  const { orders, askedOf } = ordersWith({
    [memoryContract.forget.pattern]: () => ({
      rows: 2,
      points: 0,
      memories: [],
      memoryIds: [randomUUID()],
      sources: [told.messageId],
      others: [again.messageId],
    }),
  });
  const what = { kind: 'ids' as const, ids: [randomUUID()] };
  await orders.forget({ personId, what, keepTalk: false, preview: false });
  expect(askedOf(memoryContract.reread)).toEqual([{ personId, turnIds: [again.turnId] }]);
  expect(await withheldOf(told.turnId)).toEqual(['forgotten', 'forgotten']);
  expect(await withheldOf(again.turnId)).toEqual([null, null]);
});

describe('a message whose turn is under way', () => {
  const OF_NOW = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
  const keptOf = (turnId: string) =>
    talk.stores.query(
      `SELECT line.text, withheld, inbox.text AS accepted FROM transcript AS line
       LEFT JOIN inbox USING (conversation_id, external_id) WHERE line.turn_id = $1 ORDER BY line.id`,
      [turnId],
    );
  const GONE = [
    { text: '', withheld: 'forgotten', accepted: '' },
    { text: '', withheld: 'forgotten', accepted: null },
  ];

  it.each([
    ['all', () => ({ kind: 'all' as const })],
    ['a period', () => ({ kind: 'period' as const, ...OF_NOW })],
    ['its id', (messageId: string) => ({ kind: 'sources' as const, sources: [messageId] })],
  ])('is written without words when it is forgotten by %s, and comes back with an undo', async (_, what) => {
    const { orders, askedOf } = ordersWith({});
    const [where] = (await talk.channelOf(1)) as [Speaker];
    const { personId } = where;
    const messageId = randomUUID();
    await talk.accept(where, messageId);
    const claim = await talk.claim(where);
    const turn = { ...answered(), lastStep: STEP };
    const asked = { personId, what: what(messageId), keepTalk: false, preview: false };
    const { receipt, lines } = await orders.forget(asked);
    expect(lines).toBe(1);
    // A tool may have noted something of it.
    expect(askedOf(memoryContract.forget)).toMatchObject([{ unread: [messageId] }]);
    await commitTurn(talk.database, claim, turn, false);
    expect(await keptOf(turn.turnId)).toEqual(GONE);
    const later = await say(where);
    expect(await withheldOf(later.turnId)).toEqual([null, null]);
    expect(await orders.undo(personId, receipt!)).toMatchObject({ lines: 1 });
    expect(await keptOf(turn.turnId)).toMatchObject([{ text: 'hello', withheld: null }, { text: '' }]);
  });

  it('or has not begun: neither its reply nor a thought keeps what was forgotten', async () => {
    const { orders } = ordersWith({});
    const where = await talk.place();
    const messageId = randomUUID();
    await talk.accept(where, messageId);
    const what = { kind: 'all' as const };
    await orders.forget({ personId: where.personId, what, keepTalk: false, preview: false });
    const turn = { ...answered(), lastStep: STEP };
    await commitTurn(talk.database, await talk.claim(where), turn, false);
    expect(await keptOf(turn.turnId)).toEqual(GONE);
    const steps = await talk.stores.query('SELECT sealed FROM turn_steps WHERE turn_id = $1', [turn.turnId]);
    expect(steps).toEqual([{ sealed: null }]);
  });

  it('keeps its words when the order is undone before it ends, or was for another companion', async () => {
    const { orders } = ordersWith({});
    const where = await talk.place();
    const { personId } = where;
    const what = { kind: 'all' as const };
    await talk.accept(where, randomUUID());
    const claim = await talk.claim(where);
    const { receipt } = await orders.forget({ personId, what, keepTalk: false, preview: false });
    await orders.undo(personId, receipt!);
    await orders.forget({ personId, what, companionId: 'wren', keepTalk: false, preview: false });
    await orders.forget({ personId, what, keepTalk: true, preview: false });
    const turn = answered();
    await commitTurn(talk.database, claim, turn, false);
    expect(await keptOf(turn.turnId)).toMatchObject([{ text: 'hello', withheld: null }, { text: '' }]);
  });
});

it('what was recalled of a changed message before memory had removed it is told no more', async () => {
  const where = await talk.place();
  const { turnId, messageId } = await say(where);
  const shown = { id: randomUUID(), sources: [messageId] };
  const recalling = { reply: 'As you said: Zephyrine.', details: { alsoShown: [shown] } };
  const told = randomUUID();
  const others = randomUUID();
  const { orders } = ordersWith({
    [memoryContract.revise.pattern]: async () => {
      for (const turn of [{ turnId: others }, { turnId: told, ...recalling }]) {
        await talk.accept(where, randomUUID());
        await commitTurn(talk.database, await talk.claim(where), { ...answered(), ...turn }, false);
      }
      return { memoryIds: [shown.id], others: [] };
    },
  });
  const [revised] = await reviseLine(talk.database, { door: 'discord', messageId, text: 'changed' });
  const elsewhere = await talk.placeOf(where.personId);
  await talk.accept(elsewhere, randomUUID());
  const claim = await talk.claim(elsewhere);
  await orders.follow(revised!.orderId, where.personId);
  const late = { ...answered(), ...recalling };
  await commitTurn(talk.database, claim, late, false);
  expect(await withheldOf(turnId)).toEqual([null, null]);
  expect(await withheldOf(others)).toEqual([null, null]);
  expect(await withheldOf(told)).toEqual([null, 'edited']);
  expect(await withheldOf(late.turnId)).toEqual([null, 'forgotten']);
});

it('what was recalled of the new words of a changed message is told, though the order comes again', async () => {
  const where = await talk.place();
  const { messageId } = await say(where);
  const { orders } = ordersWith({ [memoryContract.revise.pattern]: () => ({ memoryIds: [], others: [] }) });
  const [revised] = await reviseLine(talk.database, { door: 'discord', messageId, text: 'changed' });
  await orders.follow(revised!.orderId, where.personId);
  await talk.accept(where, randomUUID());
  const recalling = {
    reply: 'You changed it.',
    details: { alsoShown: [{ id: randomUUID(), sources: [messageId] }] },
  };
  const turn = { ...answered(), ...recalling };
  await commitTurn(talk.database, await talk.claim(where), turn, false);
  await orders.follow(revised!.orderId, where.personId);
  expect(await withheldOf(turn.turnId)).toEqual([null, null]);
});

describe('a reply that is withheld already', () => {
  const TOLD = { id: randomUUID(), text: 'My boat is Zephyrine' };

  /** Makes a reply with a memory in view that repeats it, and then forgets the memory. */
  async function forgetAfter(withhold: (personId: string, turnId: string) => Promise<void>): Promise<string> {
    const said = await talk.place();
    const { messageId } = await say(said);
    const where = await talk.placeOf(said.personId);
    const recalled = [{ ...TOLD, sources: [messageId] }] as never;
    const turn = { ...answered(), reply: 'Zephyrine sails.', recalled };
    await talk.accept(where, randomUUID());
    await commitTurn(talk.database, await talk.claim(where), turn, false);
    await withhold(said.personId, turn.turnId);
    const removed = { memoryIds: [TOLD.id], sources: [messageId] };
    const { orders } = ordersWith({
      [memoryContract.forget.pattern]: () => ({ rows: 1, points: 1, memories: [], others: [], ...removed }),
    });
    const what = { kind: 'ids' as const, ids: [TOLD.id] };
    await orders.forget({ personId: said.personId, what, keepTalk: false, preview: false });
    return turn.turnId;
  }

  const replyOf = (turnId: string) =>
    talk.stores.query(
      `SELECT line.text, withheld, outbox.text AS sent FROM transcript AS line JOIN outbox USING (turn_id)
       WHERE turn_id = $1 AND role = 'companion'`,
      [turnId],
    );

  it('as private is forgotten while the private talk lasts', async () => {
    const since = new Date(Date.now() - 60_000).toISOString();
    const messenger = { ask: async () => ({ private: true, since }) } as never;
    const turnId = await forgetAfter(async (personId) => {
      await new PrivateTalk(
        talk.database,
        talk.locks,
        messenger,
        () => undefined,
        pino({ level: 'silent' }),
      ).set(personId, true);
    });
    expect(await replyOf(turnId)).toMatchObject([{ text: '', withheld: 'forgotten' }]);
  });

  it('as undelivered is forgotten, and is not sent again', async () => {
    const turnId = await forgetAfter(async (_, turn) => {
      await talk.stores.query(`UPDATE outbox SET status = 'failed' WHERE turn_id = $1`, [turn]);
      await talk.database.asSystem((tx) => noteDelivered(tx, turn, 'nothing'));
    });
    expect(await replyOf(turnId)).toEqual([{ text: '', withheld: 'forgotten', sent: '' }]);
    const [row] = await talk.stores.query('SELECT id FROM outbox WHERE turn_id = $1', [turnId]);
    const admin = new OutboxAdmin(talk.database, { enqueue: async () => undefined } as never);
    await expect(admin.retry(row!['id'] as string)).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('a turn that is to be remembered again', () => {
  const followedUp = async (turnId: string) =>
    talk.stores.query('UPDATE turns SET followed_up_at = now() WHERE turn_id = $1', [turnId]);
  const isOpen = async (turnId: string) =>
    (await talk.stores.query('SELECT 1 FROM turns WHERE turn_id = $1 AND followed_up_at IS NULL', [turnId]))
      .length === 1;

  it('is open until memory has handled it, as its job may be one that read the words before', async () => {
    const where = await talk.place();
    const [edited, other] = [await say(where), await say(where)];
    for (const { turnId } of [edited, other]) await followedUp(turnId);
    const { orders, askedOf } = ordersWith({
      [memoryContract.revise.pattern]: () => ({ memoryIds: [], others: [other.messageId] }),
    });
    const change = { door: 'discord' as const, messageId: edited.messageId, text: 'changed' };
    const [revised] = await reviseLine(talk.database, change);
    await orders.follow(revised!.orderId, where.personId);
    expect(askedOf(memoryContract.reread)).toMatchObject([{ turnIds: [edited.turnId, other.turnId] }]);
    expect([await isOpen(edited.turnId), await isOpen(other.turnId)]).toEqual([true, true]);
  });

  it('so is one that comes back by an undo, and was not remembered when it went', async () => {
    const where = await talk.place();
    const [unread, known] = [await say(where), await say(where)];
    for (const { turnId } of [unread, known]) await followedUp(turnId);
    const { orders, askedOf } = ordersWith({
      [memoryContract.undoForget.pattern]: () => ({ rows: 1, unread: [unread.turnId] }),
    });
    const what = { kind: 'sources' as const, sources: [unread.messageId, known.messageId] };
    const asked = { personId: where.personId, what, keepTalk: false, preview: false };
    const { receipt } = await orders.forget(asked);
    await orders.undo(where.personId, receipt!);
    expect(askedOf(memoryContract.reread)).toMatchObject([{ turnIds: [unread.turnId] }]);
    expect([await isOpen(unread.turnId), await isOpen(known.turnId)]).toEqual([true, false]);
  });
});

it.each([
  ['an edit', 'at 6, please', true],
  ['a deletion', null, false],
])(
  '%s is over once its turn is read again for reasons to write, after its old words are forgotten',
  async (_, text, isReread) => {
    const where = await talk.place();
    const { turnId, messageId } = await say(where);
    const scheduler = { isDown: true };
    const { orders, asked } = ordersWith({
      [memoryContract.revise.pattern]: () => ({ memoryIds: [], others: [] }),
      [outreachContract.noticeAgain.pattern]: () => (scheduler.isDown ? away() : {}),
    });
    const [order] = await reviseLine(talk.database, { door: 'discord', messageId, text });
    const isOpen = async () =>
      (
        await talk.stores.query('SELECT 1 FROM forget_orders WHERE id = $1 AND finished_at IS NULL', [
          order!.orderId,
        ])
      ).length === 1;
    await orders.follow(order!.orderId, where.personId);
    expect(await isOpen()).toBe(true);
    scheduler.isDown = false;
    asked.length = 0;
    await orders.follow(order!.orderId, where.personId);
    expect(await isOpen()).toBe(false);
    const ofScheduler = asked.filter(({ pattern }) => pattern.startsWith('outreach.'));
    expect(ofScheduler).toMatchObject([
      {
        pattern: outreachContract.forget.pattern,
        request: { turnIds: [turnId], isReread, isNoticedAgain: true },
      },
      { pattern: outreachContract.noticeAgain.pattern, request: { turnId } },
    ]);
  },
);
