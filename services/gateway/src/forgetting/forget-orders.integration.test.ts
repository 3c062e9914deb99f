import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { describe, expect, it, jest } from '@jest/globals';
import {
  AppError,
  type ForgetNamed,
  memoryContract,
  outreachContract,
  personalityContract,
  receiptOf,
  type RequestContract,
} from '@kith/contracts';
import { eventually } from '@kith/testing';
import { pino } from 'pino';
import type { Speaker } from '../conversations/conversations.js';
import { answered, marks, memoryOf, NOTHING_FORGOTTEN, withTalk } from '../e2e/talk.js';
import { ErasureRecords } from '../erasure/erasure-records.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { reviseLine } from '../redaction/revise-line.js';
import { OutboxAdmin } from '../delivery/outbox-admin.js';
import { noteDelivered } from '../redaction/undelivered-reply.js';
import { PrivateTalk } from './private-talk.js';
import { deleteFinished } from './delete-finished.js';
import { listUndoable } from './list-undoable.js';

const talk = withTalk();

type Answers = Partial<Record<string, (request: Record<string, unknown>) => unknown>>;

/** Orders whose services answer as given, by pattern. Notes what they are asked. */
function ordersWith(answers: Answers) {
  const told: string[] = [];
  const asked: { pattern: string; request: Record<string, unknown> }[] = [];
  const usual: Answers = {
    [memoryContract.forget.pattern]: () => NOTHING_FORGOTTEN,
    [memoryContract.findNoted.pattern]: () => ({ noted: [] }),
    [memoryContract.undoForget.pattern]: () => ({ rows: 0, unread: [] }),
    [outreachContract.forget.pattern]: () => ({ rows: 0, attemptIds: [] }),
  };
  const ask = async ({ pattern }: RequestContract, request: Record<string, unknown>) => {
    asked.push({ pattern, request });
    return (answers[pattern] ?? usual[pattern])?.(request) ?? { rows: 0 };
  };
  const logger = pino({ level: 'silent' });
  const warn = jest.spyOn(logger, 'warn');
  const orders = talk.forgetOrders(ask, { logger, tellOpenPages: (personId) => told.push(personId) });
  const askedOf = ({ pattern }: { pattern: string }) =>
    asked.filter((one) => one.pattern === pattern).map(({ request }) => request);
  return { orders, asked, askedOf, told, warn };
}

const say = (where: Speaker) => talk.exchange(where);

async function withheldOf(turnId: string): Promise<unknown[]> {
  const rows = await talk.stores.query('SELECT withheld FROM transcript WHERE turn_id = $1 ORDER BY id', [
    turnId,
  ]);
  return rows.map(({ withheld }) => withheld);
}

const STEP = {
  number: 1,
  model: 'test',
  promptTokens: 1,
  completionTokens: 1,
  sealed: 'a thought',
  calls: [],
};

const away = () => {
  throw new AppError('unavailable', 'memory is away');
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

it('an undo that was broken off goes on by itself', async () => {
  const where = await talk.place();
  const { turnId, messageId } = await say(where);
  const undoing = { isDown: true };
  const { orders, askedOf } = ordersWith({
    [memoryContract.undoForget.pattern]: () => (undoing.isDown ? away() : { rows: 0, unread: [] }),
  });
  const what = { kind: 'sources' as const, sources: [messageId] };
  const { receipt } = await orders.forget({
    personId: where.personId,
    what,
    keepTalk: false,
    preview: false,
  });
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
  const { orders } = ordersWith({});
  const what = { kind: 'sources' as const, sources: [messageId] };
  const { receipt } = await orders.forget({
    personId: where.personId,
    what,
    keepTalk: false,
    preview: false,
  });
  expect(await isForgotten()).toBe(true);
  await orders.undo(where.personId, receipt!);
  expect(await isForgotten()).toBe(false);
});

it('an undo tells no reply that never arrived', async () => {
  const where = await talk.place();
  const { turnId, messageId } = await say(where);
  const { orders } = ordersWith({});
  const what = { kind: 'sources' as const, sources: [messageId] };
  const { receipt } = await orders.forget({
    personId: where.personId,
    what,
    keepTalk: false,
    preview: false,
  });
  await talk.stores.query(
    `INSERT INTO outbox (id, turn_id, conversation_id, person_id, door, target, text, status)
     SELECT gen_random_uuid(), turn_id, conversation_id, person_id, 'discord', '{}', '', 'dropped'
     FROM turns WHERE turn_id = $1`,
    [turnId],
  );
  await orders.undo(where.personId, receipt!);
  expect(await withheldOf(turnId)).toEqual([null, 'undelivered']);
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

it('an undo that is begun again brings back no reply that somebody else’s order took since', async () => {
  const [ann, bob] = (await talk.channelOf(2)) as [Speaker, Speaker];
  const word = await talk.sayTo(ann, 'My word is zebra77.', 'I see.');
  const { turnId, messageId } = await talk.sayTo(bob, 'Which word did she say?', 'It was zebra77.');
  const undoing = { isDown: true };
  const { orders } = ordersWith({
    [memoryContract.undoForget.pattern]: () => (undoing.isDown ? away() : { rows: 0, unread: [] }),
  });
  const forget = (personId: string, source: string) =>
    orders.forget({
      personId,
      what: { kind: 'sources', sources: [source] },
      keepTalk: false,
      preview: false,
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
  const { orders } = ordersWith({});
  const forget = (personId: string, source: string) =>
    orders.forget({
      personId,
      what: { kind: 'sources', sources: [source] },
      keepTalk: false,
      preview: false,
    });
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
  const { orders, asked } = ordersWith({});
  const { receipt } = await orders.forget({
    personId: where.personId,
    what: { kind: 'sources', sources: [messageId] },
    keepTalk: false,
    preview: false,
  });
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
  const { orders, askedOf, told } = ordersWith({
    [memoryContract.undoForget.pattern]: () => (undoing.isDown ? away() : { rows: 0, unread: [] }),
  });
  const { receipt } = await orders.forget({
    personId: where.personId,
    what: { kind: 'sources', sources: [messageId] },
    keepTalk: false,
    preview: false,
  });
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
  const { orders, askedOf } = ordersWith({
    [memoryContract.undoForget.pattern]: () => (begun.abort(), { rows: 3, unread: [] }),
  });
  const what = { kind: 'sources' as const, sources: [messageId] };
  const { receipt } = await orders.forget({ personId, what, keepTalk: false, preview: false });
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

describe('a later reply that repeats a message whose line retention has taken', () => {
  /** Makes such a reply, one whose prompt began after it, and what memory still has of the message. */
  async function repeated() {
    const where = await talk.place();
    const told = await talk.sayTo(where, 'My boat is Zephyrine.', 'A fine boat.');
    await talk.sayTo(where, 'I am tired', 'Go sailing with Zephyrine, then.');
    await talk.accept(where, randomUUID());
    const [next] = await talk.stores.query(`SELECT nextval('transcript_id_seq') AS id`);
    const view = { epoch: null, from: String(next!['id']), quoted: [] };
    const later = { ...answered(), reply: 'Zephyrine is a name.', details: { view } };
    await commitTurn(talk.database, await talk.claim(where), later, false);
    await talk.stores.query('DELETE FROM transcript WHERE turn_id = $1', [told.turnId]);
    await talk.stores.query(`UPDATE inbox SET text = '' WHERE external_id = $1`, [told.messageId]);
    const memory = { ...memoryOf('direct'), text: 'My boat is Zephyrine.', sources: [told.messageId] };
    const known = { ...NOTHING_FORGOTTEN, memories: [memory], sources: [told.messageId] };
    const replies = async () => {
      const rows = await talk.stores.query(
        `SELECT text FROM transcript WHERE conversation_id = $1 AND role = 'companion' ORDER BY id`,
        [where.conversationId],
      );
      return rows.map(({ text }) => text);
    };
    const answers = {
      [memoryContract.forget.pattern]: () => known,
      [memoryContract.revise.pattern]: () => ({ memoryIds: [], others: [] }),
    };
    return { ...told, ...where, known, replies, answers, ...ordersWith(answers) };
  }
  const REPLIES = ['Go sailing with Zephyrine, then.', 'Zephyrine is a name.'];

  it.each([
    ['all', () => ({ kind: 'all' as const })],
    ['by a memory', () => ({ kind: 'ids' as const, ids: [randomUUID()] })],
    ['by name', (messageId: string) => ({ kind: 'sources' as const, sources: [messageId] })],
  ])('goes with what is forgotten %s, and comes back with it', async (kind, what) => {
    const { personId, messageId, orders, replies, askedOf } = await repeated();
    const asked = { personId, what: what(messageId), keepTalk: false, preview: false };
    const { receipt } = await orders.forget(asked);
    expect(await replies()).toEqual(kind === 'all' ? ['', ''] : ['', REPLIES[1]]);
    expect(askedOf(memoryContract.forget).at(-1)).not.toHaveProperty('preview');
    await orders.undo(personId, receipt!);
    expect(await replies()).toEqual(REPLIES);
  });

  it('goes also where memory has more of several messages than it shows at once', async () => {
    const { personId, conversationId, messageId, known, replies, answers } = await repeated();
    const other = await talk.sayTo({ personId, conversationId }, 'I baked.', 'Nice.');
    await talk.stores.query('DELETE FROM transcript WHERE turn_id = $1', [other.turnId]);
    await talk.sayTo({ personId, conversationId }, 'Good night', 'Sleep well.');
    const { orders } = ordersWith({
      ...answers,
      [memoryContract.forget.pattern]: ({ what }) => {
        const { sources = [] } = what as { sources?: string[] };
        return sources.length === 1 ? known : { ...known, rows: 60, memories: [] };
      },
    });
    const what = { kind: 'sources' as const, sources: [messageId, other.messageId] };
    await orders.forget({ personId, what, keepTalk: false, preview: false });
    expect(await replies()).toEqual(['', REPLIES[1], 'Sleep well.']);
  });

  it('goes also where hundreds of messages are gone that were said elsewhere since', async () => {
    const { personId, messageId, orders, replies } = await repeated();
    const elsewhere = await talk.placeOf(personId);
    await talk.stores.query(
      `WITH said AS (
         INSERT INTO inbox (conversation_id, person_id, door, external_id, text, sent_at, turn_id, outcome, ended_at)
         SELECT $1, $2, 'discord', gen_random_uuid()::text, '', sent_at, gen_random_uuid(), 'answered', sent_at
         FROM inbox, generate_series(1, 300) WHERE external_id = $3 RETURNING turn_id, sent_at)
       INSERT INTO turns (turn_id, conversation_id, person_id, companion_id, door, audience, origin, outcome, trace,
         started_at, ended_at)
       SELECT turn_id, $1, $2, 'mira', 'discord', 'direct', 'message', 'answered', '{}', sent_at, sent_at FROM said`,
      [elsewhere.conversationId, personId, messageId],
    );
    const [told] = await talk.stores.query<{ at: Date }>(
      'SELECT sent_at AS at FROM inbox WHERE external_id = $1',
      [messageId],
    );
    const to = new Date(told!.at.getTime() + 1).toISOString();
    const what = { kind: 'period' as const, from: told!.at.toISOString(), to };
    await orders.forget({ personId, what, keepTalk: false, preview: false });
    expect(await replies()).toEqual(['', REPLIES[1]]);
  });

  it.each([
    ['deleted', null],
    ['edited', 'My boat is sold.'],
  ])('goes when that is %s, and is named', async (_, text) => {
    const { personId, messageId, orders, replies, askedOf } = await repeated();
    const [revised] = await reviseLine(talk.database, { door: 'discord', messageId, text });
    await orders.follow(revised!.orderId, personId);
    expect(await replies()).toEqual(['', REPLIES[1]]);
    const [{ replyTurnIds }] = askedOf(personalityContract.forget) as [{ replyTurnIds: string[] }];
    expect(replyTurnIds).toHaveLength(1);
  });

  it('goes with a person who is erased, whomever it is for, and nothing of it comes back', async () => {
    const [ann, bob] = (await talk.channelOf(2)) as [Speaker, Speaker];
    const told = await talk.sayTo(ann, 'My boat is Zephyrine.', 'A fine boat.');
    const turns = [
      await talk.sayTo(bob, 'I am tired', 'Go sailing with Zephyrine, then.'),
      await talk.sayTo(bob, 'Alone?', 'Zephyrine sails by herself.'),
    ];
    const { orders, askedOf } = ordersWith({});
    const what = { kind: 'sources' as const, sources: [turns[1]!.messageId] };
    const { receipt } = await orders.forget({
      personId: bob.personId,
      what,
      keepTalk: false,
      preview: false,
    });
    await talk.stores.query('DELETE FROM transcript WHERE turn_id = $1', [told.turnId]);
    await talk.stores.query(`UPDATE inbox SET text = '' WHERE external_id = $1`, [told.messageId]);
    const memory = { ...memoryOf('direct'), text: 'My boat is Zephyrine.', sources: [told.messageId] };
    const known = { ...NOTHING_FORGOTTEN, memories: [memory] };
    const erasing = ordersWith({ [memoryContract.forget.pattern]: () => known });
    const records = new ErasureRecords(talk.database, marks);
    await records.begin(ann.personId, 'person');
    await records.eraseRest(ann.personId, erasing.orders);
    expect(erasing.askedOf(memoryContract.forget)).toMatchObject([{ preview: true }]);
    expect(erasing.askedOf(outreachContract.forget)).toMatchObject([
      { replyTurnIds: expect.arrayContaining(turns.map(({ turnId }) => turnId)) },
    ]);
    await orders.undo(bob.personId, receipt!);
    const rows = await talk.stores.query(
      `SELECT text FROM transcript WHERE conversation_id = $1 AND role = 'companion' ORDER BY id`,
      [ann.conversationId],
    );
    expect(rows).toEqual([{ text: '' }, { text: '' }]);
    expect(askedOf(memoryContract.undoForget)).toHaveLength(1);
  });

  it('is named in the log as not looked at, where comparing takes too long', async () => {
    const { personId, messageId, orders, warn } = await repeated();
    const [revised] = await reviseLine(talk.database, { door: 'discord', messageId, text: null });
    const { orderId } = revised!;
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 10_000));
    await orders.follow(orderId, personId);
    clock.mockRestore();
    expect(warn.mock.calls).toEqual([[{ orderId }, expect.stringContaining('not every later reply')]]);
  });

  it('asks memory no more where no line was taken', async () => {
    const { personId } = await talk.place().then(async (where) => (await say(where), where));
    const { orders, askedOf } = ordersWith({});
    const what = { kind: 'ids' as const, ids: [randomUUID()] };
    await orders.forget({ personId, what, keepTalk: false, preview: false });
    expect(askedOf(memoryContract.forget)).toHaveLength(1);
  });
});

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
  const { orders, askedOf } = ordersWith({
    [memoryContract.forget.pattern]: async () => {
      if (memory.isDown) away();
      await held;
      return { rows: 0, points: 0, memories: [], sources: [messageId], memoryIds: [], others: [] };
    },
  });
  const forgetting = orders.forget({
    personId: where.personId,
    what: { kind: 'sources', sources: [messageId] },
    keepTalk: false,
    preview: false,
  });
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

describe('a later reply that repeats what is gone', () => {
  /** Makes a line, and a reply to another that repeats it. */
  async function repeated() {
    const where = await talk.place();
    const told = await talk.sayTo(where, 'I have an interview at Siemens', 'Good luck!');
    const { turnId } = await talk.sayTo(where, 'I am nervous', 'I will ask you on Friday how Siemens went.');
    return { personId: where.personId, messageId: told.messageId, replyTurnIds: [turnId] };
  }

  it('is named to who made something of it when that is forgotten, also in a second go, and undone', async () => {
    const { personId, messageId, replyTurnIds } = await repeated();
    const scheduler = { isDown: true };
    const { orders, askedOf } = ordersWith({
      [outreachContract.forget.pattern]: () => (scheduler.isDown ? away() : { rows: 0, attemptIds: [] }),
    });
    const what = { kind: 'sources' as const, sources: [messageId] };
    const forgetting = orders.forget({ personId, what, keepTalk: false, preview: false });
    const refused = await forgetting.catch((error: unknown) => error as AppError);
    const receipt = 'details' in refused ? String(refused.details?.['receipt']) : '';
    scheduler.isDown = false;
    await orders.follow(receipt, personId);
    await orders.undo(personId, receipt);
    for (const request of [outreachContract.forget, outreachContract.undoForget]) {
      expect(askedOf(request).at(-1)).toMatchObject({ replyTurnIds });
    }
    expect(askedOf(personalityContract.forget).at(-1)).toMatchObject({ replyTurnIds });
  });

  it.each([
    ['edited', 'changed'],
    ['deleted', null],
  ])('is named when that is %s', async (_, text) => {
    const { personId, messageId, replyTurnIds } = await repeated();
    const { orders, askedOf } = ordersWith({
      [memoryContract.revise.pattern]: () => ({ memoryIds: [], others: [] }),
    });
    const [revised] = await reviseLine(talk.database, { door: 'discord', messageId, text });
    await orders.follow(revised!.orderId, personId);
    expect(askedOf(outreachContract.forget)).toMatchObject([{ replyTurnIds }]);
    expect(askedOf(personalityContract.forget)).toMatchObject([{ replyTurnIds }]);
  });
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
      const { orders } = ordersWith({ [memoryContract.forget.pattern]: () => known });
      const what = { kind: 'sources' as const, sources: [boss.messageId] };
      const two = await orders.forget({ personId: other.personId, what, keepTalk: false, preview: false });
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
