import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError, outreachContract } from '@kith/contracts';
import { Database } from '@kith/database';
import { Messenger } from '@kith/messaging';
import { freshStores, type FreshStores } from '@kith/testing';
import { pino } from 'pino';
import { OutboxAdmin } from './outbox-admin.js';
import { Outbox } from './outbox.js';

let stores: FreshStores;
let database: Database;
let messenger: OrderingMessenger;
let outbox: Outbox;
const now = new Date('2026-03-01T12:00:00Z');

/** Notes the orders; the scheduler would send whatever waits. */
class OrderingMessenger extends Messenger {
  readonly orders: { pattern: string; payload: unknown }[] = [];
  isRedisAway = false;
  override async enqueue(...[job, payload]: Parameters<Messenger['enqueue']>): Promise<void> {
    if (this.isRedisAway) throw new AppError('unavailable', 'Redis is away');
    this.orders.push({ pattern: job.pattern, payload });
    return super.enqueue(job, payload);
  }
  override ask(): never {
    return Promise.resolve({ allowed: true }) as never;
  }
}

beforeAll(async () => {
  stores = await freshStores();
  database = new Database({ url: stores.databaseUrl, poolSize: 3 });
  const logger = pino({ level: 'silent' });
  messenger = new OrderingMessenger({ redisUrl: stores.redisUrl, service: 'gateway', logger });
  outbox = new Outbox(database, messenger);
});
afterAll(async () => {
  await messenger.close();
  await database.close();
  await stores.stop();
});

/** Makes what waits to be delivered, as a turn of this origin leaves it. */
async function waiting(tries: number, { origin = 'outreach', kind = 'direct' } = {}) {
  const [conversationId, turnId, attemptId, personId] = [0, 1, 2, 3].map(() => randomUUID()) as [
    ...[string, string, string, string],
  ];
  const { id } = await database.asSystem(async (tx) => {
    const place = { companionId: 'mira', door: 'discord', externalId: turnId, kind, audience: 'direct' };
    await tx.conversation.create({ data: { id: conversationId, ...place } });
    const begun = { conversationId, personId, turnId, door: 'discord', origin, outcome: 'answered' };
    await tx.inboxMessage.create({ data: { ...begun, externalId: attemptId, text: '', sentAt: now } });
    const ended = { startedAt: now, endedAt: now, trace: {}, audience: 'direct', companionId: 'mira' };
    const { turnId: _, ...turn } = begun;
    await tx.turn.create({ data: { ...turn, ...ended, id: turnId } });
    return tx.outboxMessage.create({
      data: {
        turnId,
        conversationId,
        personId,
        door: 'discord',
        target: { userId: '1' },
        text: 'hello',
        createdAt: now,
        attempts: tries,
        firstTriedAt: tries > 0 ? now : null,
      },
    });
  });
  messenger.orders.length = 0;
  return { id, attemptId, personId };
}
const statusOf = async (id: string) =>
  (await database.asSystem((tx) => tx.outboxMessage.findUniqueOrThrow({ where: { id } }))).status;
const order = (payload: object) => [
  { pattern: outreachContract.endUndelivered.pattern, payload: { ...payload, at: now.toISOString() } },
];
const away = { kind: 'retry' as const, reason: 'Discord 502', waitMs: 0, sent: [], said: '' };
const moderated = {
  kind: 'failed' as const,
  reason: 'Discord 400/200000',
  unreachable: null,
  sent: [],
  said: '',
};

describe('an outreach that is given up', () => {
  it('after its last try is told to the scheduler, as what passes', async () => {
    const { id, ...attempt } = await waiting(98);
    await outbox.claim(id, now);
    await outbox.noteResult({ outboxId: id, result: away }, now);
    expect(messenger.orders).toEqual([]);
    await outbox.claim(id, now);
    await outbox.noteResult({ outboxId: id, result: away }, now);
    const reason = 'given up after 100 tries: Discord 502';
    expect(messenger.orders).toEqual(order({ ...attempt, reason, passes: true }));
    expect(await statusOf(id)).toBe('failed');
  });

  it('because no try came back is told as well', async () => {
    const { id, ...attempt } = await waiting(100);
    expect(await outbox.claim(id, now)).toEqual({ kind: 'settled' });
    const told = order({ ...attempt, reason: 'no try came to an end', passes: false });
    expect(messenger.orders).toEqual(told);
    await outbox.claim(id, now);
    expect(messenger.orders).toEqual(told);
  });

  it('because its words, or its direct messages, are refused is told as what stays', async () => {
    for (const unreachable of [null, 'place' as const]) {
      const { id, ...attempt } = await waiting(0);
      await outbox.claim(id, now);
      await outbox.noteResult({ outboxId: id, result: { ...moderated, unreachable } }, now);
      expect(messenger.orders).toEqual(order({ ...attempt, reason: moderated.reason, passes: false }));
    }
  });

  it('for now, since the door wants it later, is told as what passes', async () => {
    const { id, ...attempt } = await waiting(0);
    await outbox.claim(id, now);
    await outbox.noteResult({ outboxId: id, result: { ...moderated, passes: true } }, now);
    expect(messenger.orders).toEqual(order({ ...attempt, reason: moderated.reason, passes: true }));
    expect(await statusOf(id)).toBe('failed');
  });

  it('by an operator is told as well, and is not sent again afterwards', async () => {
    const { id, ...attempt } = await waiting(2);
    const admin = new OutboxAdmin(database, messenger);
    await admin.drop(id, 'dropped by ops', now);
    expect(messenger.orders).toEqual(order({ ...attempt, reason: 'dropped by ops', passes: false }));
    await expect(admin.retry(id)).rejects.toMatchObject({ code: 'conflict' });
    expect(await statusOf(id)).toBe('dropped');
  });

  it('waits with its end until that is ordered', async () => {
    const { id } = await waiting(0);
    await outbox.claim(id, now);
    messenger.isRedisAway = true;
    await expect(outbox.noteResult({ outboxId: id, result: moderated }, now)).rejects.toThrow('away');
    messenger.isRedisAway = false;
    expect(await statusOf(id)).toBe('pending');
  });

  it.each([{ sent: [] }, { sent: ['m1'] }])('counts as said where some of it has arrived', async (told) => {
    const { id } = await waiting(0);
    await outbox.claim(id, now);
    if (told.sent.length === 0) await outbox.noteSent({ outboxId: id, sent: ['m1'] });
    await outbox.noteResult({ outboxId: id, result: { ...moderated, ...told } }, now);
    expect(messenger.orders).toEqual([]);
  });
});

it('a reply that is given up concerns no outreach', async () => {
  const { id } = await waiting(0, { origin: 'message' });
  await outbox.claim(id, now);
  await outbox.noteResult({ outboxId: id, result: moderated }, now);
  expect(messenger.orders).toEqual([]);
});
