import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AppError, type Withheld } from '@kith/contracts';
import { Database, uuid7 } from '@kith/database';
import { Messenger } from '@kith/messaging';
import { eventually, freshStores, type FreshStores } from '@kith/testing';
import { pino } from 'pino';
import { emptyLines, outdateReplies } from '../redaction/empty-lines.js';
import { noteDelivered } from '../redaction/undelivered-reply.js';
import { askForTool } from '../safety/question-text.js';
import { OutboxAdmin } from './outbox-admin.js';
import { Outbox } from './outbox.js';

let stores: FreshStores;
let database: Database;
let messenger: Messenger;
/** Announcements, as they were. */
const announced: unknown[] = [];
/** While set, Redis is away. */
let isRedisAway = false;
class HeardMessenger extends Messenger {
  override announce(...[event, payload]: Parameters<Messenger['announce']>): Promise<void> {
    if (isRedisAway) throw new AppError('unavailable', 'Redis is away');
    announced.push(payload);
    return super.announce(event, payload);
  }
}
/** Word of the scheduler on outreach that waits; null while it is away. */
let mayArrive: boolean | null = null;
/** Work of others while it thinks. */
let whileAsked: () => Promise<unknown> = async () => undefined;
class AskingMessenger extends HeardMessenger {
  override ask(...[, request]: Parameters<Messenger['ask']>): never {
    asked.push(request);
    if (mayArrive === null) throw new AppError('unavailable', 'no answer');
    return whileAsked().then(() => ({ allowed: mayArrive })) as never;
  }
}
const asked: unknown[] = [];
let outbox: Outbox;
const ANN = randomUUID();
const now = new Date('2026-03-01T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

beforeAll(async () => {
  stores = await freshStores();
  database = new Database({ url: stores.databaseUrl, poolSize: 3 });
  messenger = new AskingMessenger({
    redisUrl: stores.redisUrl,
    service: 'gateway',
    logger: pino({ level: 'silent' }),
  });
  outbox = new Outbox(database, messenger);
});
afterAll(async () => {
  await messenger.close();
  await database.close();
  await stores.stop();
});

/** A reply as a turn leaves it. */
async function reply(
  conversationId: string,
  createdAt = minutesAgo(1),
  attempts = 0,
  personId = ANN,
): Promise<string> {
  const { id } = await database.asSystem((tx) =>
    tx.outboxMessage.create({
      data: {
        turnId: randomUUID(),
        conversationId,
        personId,
        door: 'discord',
        target: { userId: '1', channelId: '2' },
        text: 'hello',
        createdAt,
        attempts,
      },
    }),
  );
  return id;
}

/** Makes a reply that has its line. */
async function replyInTranscript(): Promise<{ outboxId: string; turnId: string }> {
  const conversationId = randomUUID();
  const outboxId = await reply(conversationId);
  const { turnId } = await rowOf(outboxId);
  await stores.query(
    `INSERT INTO transcript (conversation_id, turn_id, person_id, role, name, text, at)
     VALUES ($1, $2, $3, 'companion', 'Mira', 'hello, I will ask tomorrow', now())`,
    [conversationId, turnId, ANN],
  );
  return { outboxId, turnId };
}

async function rowOf(id: string) {
  return database.asSystem((tx) => tx.outboxMessage.findUniqueOrThrow({ where: { id } }));
}

const lostAnswer = { kind: 'retry' as const, reason: 'Discord 502', waitMs: 0, sent: [], said: '' };

describe('replies to one person in a conversation', () => {
  it('are sent in their order: a later one waits for the one that is tried again', async () => {
    const conversationId = randomUUID();
    const first = await reply(conversationId, minutesAgo(2));
    const second = await reply(conversationId, minutesAgo(1));
    expect(await outbox.claim(second, now)).toEqual({ kind: 'not-yet', retryAfterMs: 300 });
    expect(await outbox.claim(first, now)).toMatchObject({ kind: 'claimed', attempt: 1 });
    expect(await outbox.noteResult({ outboxId: first, result: lostAnswer }, now)).toEqual({
      retryAfterMs: 1_000,
    });
    expect((await outbox.claim(second, now)).kind).toBe('not-yet');
    await outbox.noteResult({ outboxId: first, result: { kind: 'delivered', platformIds: ['m1'] } }, now);
    expect(await outbox.claim(second, now)).toMatchObject({ kind: 'claimed' });
  });

  it('are not held up by replies to others there', async () => {
    const conversationId = randomUUID();
    await reply(conversationId, minutesAgo(2), 0, randomUUID());
    expect((await outbox.claim(await reply(conversationId), now)).kind).toBe('claimed');
  });

  it('are deleted without waiting, once their words were forgotten', async () => {
    const conversationId = randomUUID();
    await reply(conversationId, minutesAgo(2));
    const id = await reply(conversationId);
    await stores.query('UPDATE outbox SET forgotten_at = now() WHERE id = $1', [id]);
    expect(await outbox.claim(id, now)).toMatchObject({ kind: 'claimed', isForgotten: true });
  });

  it('are not held up for ever by one that gets nowhere, nor by those of other conversations', async () => {
    const conversationId = randomUUID();
    await reply(conversationId, minutesAgo(20));
    expect((await outbox.claim(await reply(conversationId), now)).kind).toBe('claimed');
    expect((await outbox.claim(await reply(randomUUID()), now)).kind).toBe('claimed');
  });
});

describe('a reply that asks for a tool', () => {
  /** A reply with its question, of which a row stands with this status. */
  const asking = async (status: string | null) => {
    const id = await reply(randomUUID());
    const { turnId } = await rowOf(id);
    const text = `Gladly.\n\n${askForTool('send_note')}\n· to: \`Zephyrine\``;
    await database.asSystem((tx) => tx.outboxMessage.update({ where: { id }, data: { text } }));
    if (status !== null)
      await stores.query(
        `INSERT INTO tool_calls (id, key, person_id, companion_id, turn_id, tool, pin, place, arguments, status, expires_at)
         VALUES (gen_random_uuid(), gen_random_uuid()::text, $1, 'mira', $2, 'send_note', 'pin', '{}', '{}', $3, $4)`,
        [ANN, turnId, status, new Date(now.getTime() + 60_000)],
      );
    const claimed = await outbox.claim(id, now);
    if (claimed.kind !== 'claimed') throw new Error(claimed.kind);
    return { text: claimed.text, tools: (claimed.questions ?? []).map(({ tool }) => tool), whole: text };
  };

  it('asks while its question waits, and tells what it asked once that is answered', async () => {
    const waiting = await asking('waiting');
    expect(waiting).toMatchObject({ text: waiting.whole, tools: ['send_note'] });
    const answered = await asking('done');
    expect(answered).toMatchObject({ text: answered.whole, tools: [] });
  });

  it('has its buttons in the order of its questions, whichever was noted first', async () => {
    const id = await reply(randomUUID());
    const { turnId } = await rowOf(id);
    const ids = [uuid7(), uuid7(), uuid7()];
    for (const [n, one] of ids.entries())
      await stores.query(
        `INSERT INTO tool_calls (id, key, person_id, companion_id, turn_id, tool, pin, place, arguments, status, asked_at,
           expires_at)
         VALUES ($1, gen_random_uuid()::text, $2, 'mira', $3, 'send_note', 'pin', '{}', '{}', 'waiting', $4, $5)`,
        [one, ANN, turnId, minutesAgo(n), new Date(now.getTime() + 60_000)],
      );
    expect(await outbox.claim(id, now)).toMatchObject({ questions: ids.map((one) => ({ id: one })) });
  });

  it('says that it takes the question back where that went with words that were changed or deleted', async () => {
    const { text, tools } = await asking(null);
    expect(tools).toEqual([]);
    expect(text).toMatch(/^Gladly\.\n\n.*take that back/u);
    expect(text).not.toContain('Zephyrine');
  });
});

describe('a reply in chunks', () => {
  it('goes on behind those that arrived, whoever goes on', async () => {
    const id = await reply(randomUUID());
    expect(await outbox.claim(id, now)).toMatchObject({ sent: [] });
    await outbox.noteSent({ outboxId: id, sent: ['m1'] });
    expect(await outbox.claim(id, now)).toMatchObject({ attempt: 2, sent: ['m1'] });
  });

  it('keeps all of its messages where a process that was left behind tells of the first ones after its end', async () => {
    const id = await reply(randomUUID());
    await outbox.claim(id, now);
    await outbox.noteResult({ outboxId: id, result: { kind: 'delivered', platformIds: ['m1', 'm2'] } }, now);
    await outbox.noteSent({ outboxId: id, sent: ['m1'] });
    expect(await rowOf(id)).toMatchObject({ status: 'delivered', platformIds: ['m1', 'm2'] });
  });

  it('is no first try where an operator has it sent again: a part of it may have arrived unnoticed', async () => {
    const { outboxId: id } = await replyInTranscript();
    await outbox.claim(id, minutesAgo(60));
    const result = { ...lostAnswer, kind: 'failed' as const, unreachable: null, sent: ['m1'] };
    await outbox.noteResult({ outboxId: id, result }, minutesAgo(60));
    await new OutboxAdmin(database, messenger).retry(id);
    expect(await outbox.claim(id, now)).toMatchObject({
      attempt: 2,
      firstTriedAt: minutesAgo(60).toISOString(),
      sent: ['m1'],
    });
    expect(await rowOf(id)).toMatchObject({ attempts: 1 });
  });

  it('knows the messages of other replies, which are none of its own', async () => {
    const conversationId = randomUUID();
    const stuck = await reply(conversationId, minutesAgo(20));
    await outbox.claim(stuck, minutesAgo(20));
    const later = await reply(conversationId);
    await outbox.claim(later, now);
    await outbox.noteSent({ outboxId: later, sent: ['m7'] });
    expect(await outbox.claim(stuck, now)).toMatchObject({
      firstTriedAt: minutesAgo(20).toISOString(),
      othersSent: ['m7'],
    });
    await outbox.noteResult({ outboxId: later, result: { kind: 'delivered', platformIds: ['m7'] } }, now);
    expect(await outbox.claim(stuck, now)).toMatchObject({ othersSent: ['m7'] });
  });

  it('knows those that were sent soon after its first try, however many came later', async () => {
    const conversationId = randomUUID();
    const stuck = await reply(conversationId, minutesAgo(20));
    await outbox.claim(stuck, minutesAgo(20));
    await stores.query(
      `INSERT INTO outbox (id, turn_id, conversation_id, person_id, door, target, text, status, platform_ids, created_at, settled_at)
       SELECT gen_random_uuid(), gen_random_uuid(), $1, $2, 'discord', '{}', 'hello', 'delivered', '{later}', $3, $4
       FROM generate_series(1, 600)`,
      [conversationId, ANN, minutesAgo(30), now],
    );
    const first = await reply(conversationId);
    await outbox.claim(first, now);
    const result = { kind: 'delivered' as const, platformIds: ['m8'] };
    await outbox.noteResult({ outboxId: first, result }, minutesAgo(19));
    const claimed = await outbox.claim(stuck, now);
    expect('othersSent' in claimed && claimed.othersSent).toContain('m8');
  });
});

describe('a reply that is not delivered', () => {
  it('keeps its reason, and is given up after its last try', async () => {
    const id = await reply(randomUUID(), minutesAgo(1), 98);
    await outbox.claim(id, now);
    expect(await outbox.noteResult({ outboxId: id, result: lostAnswer }, now)).toEqual({
      retryAfterMs: 20_000,
    });
    expect(await rowOf(id)).toMatchObject({ status: 'pending', lastError: 'Discord 502' });
    await outbox.claim(id, now);
    expect(await outbox.noteResult({ outboxId: id, result: lostAnswer }, now)).toEqual({
      retryAfterMs: null,
    });
    expect(await rowOf(id)).toMatchObject({
      status: 'failed',
      lastError: 'given up after 100 tries: Discord 502',
    });
  });

  it('ends also when no try of it comes back', async () => {
    const id = await reply(randomUUID(), minutesAgo(1), 100);
    expect(await outbox.claim(id, now)).toEqual({ kind: 'settled' });
    expect(await rowOf(id)).toMatchObject({ status: 'failed', lastError: 'no try came to an end' });
  });

  it('ends at once where Discord refuses it, and keeps what had arrived of it', async () => {
    const id = await reply(randomUUID());
    await outbox.claim(id, now);
    const refused = {
      kind: 'failed' as const,
      reason: 'Discord 403',
      unreachable: 'person' as const,
      sent: ['m1'],
      said: 'hel',
    };
    const { turnId } = await rowOf(id);
    await database.asSystem((tx) =>
      tx.transcriptMessage.create({
        data: {
          turnId,
          conversationId: randomUUID(),
          personId: ANN,
          role: 'companion',
          name: 'Mira',
          text: 'hello',
          at: now,
        },
      }),
    );
    expect(await outbox.noteResult({ outboxId: id, result: refused }, now)).toEqual({ retryAfterMs: null });
    expect(await rowOf(id)).toMatchObject({
      status: 'failed',
      lastError: 'Discord 403',
      platformIds: ['m1'],
    });
    // What did not arrive was not said.
    const [line] = await stores.query('SELECT text FROM transcript WHERE turn_id = $1', [turnId]);
    expect(line).toEqual({ text: 'hel' });
    expect(await outbox.claim(id, now)).toEqual({ kind: 'settled' });
  });
});

describe('a reply that has arrived', () => {
  it('is neither sent again nor given up by an operator', async () => {
    const id = await reply(randomUUID());
    await outbox.noteResult({ outboxId: id, result: { kind: 'delivered', platformIds: ['m1'] } }, now);
    // Its words stay for a while where it has a line.
    await stores.query(`UPDATE outbox SET text = 'hello' WHERE id = $1`, [id]);
    const admin = new OutboxAdmin(database, messenger);
    await expect(admin.retry(id)).rejects.toMatchObject({ code: 'conflict' });
    await expect(admin.drop(id, 'enough', now)).rejects.toMatchObject({ code: 'conflict' });
    expect(await rowOf(id)).toMatchObject({ status: 'delivered', lastError: null });
  });
});

describe('a list of deliveries', () => {
  it('goes on behind one that arrived meanwhile', async () => {
    const [first, second, third] = [
      await reply(randomUUID()),
      await reply(randomUUID()),
      await reply(randomUUID()),
    ];
    const admin = new OutboxAdmin(database, messenger);
    const { deliveries, nextCursor } = await admin.list({ limit: 1 });
    expect(deliveries).toMatchObject([{ outboxId: third }]);
    await outbox.noteResult({ outboxId: third, result: { kind: 'delivered', platformIds: ['1'] } }, now);
    const rest = await admin.list({ limit: 2, cursor: nextCursor! });
    expect(rest.deliveries).toMatchObject([{ outboxId: second }, { outboxId: first }]);
  });
});

describe('an outreach that is refused', () => {
  const refused = (unreachable: 'person' | 'place') => ({
    kind: 'failed' as const,
    reason: 'Discord 403',
    unreachable,
    sent: [],
    said: '',
  });
  const attemptId = randomUUID();
  async function begin(kind: 'direct' | 'channel', origin = 'outreach') {
    const conversationId = randomUUID();
    const id = await reply(conversationId);
    const { turnId, personId } = await rowOf(id);
    const audience = kind === 'direct' ? 'direct' : `channel:discord:${turnId}`;
    await database.asSystem(async (tx) => {
      const place = { companionId: 'mira', door: 'discord', externalId: turnId, kind, audience };
      await tx.conversation.create({ data: { id: conversationId, ...place } });
      const message = { conversationId, personId, turnId, door: 'discord', text: '', sentAt: now };
      await tx.inboxMessage.create({ data: { ...message, origin, externalId: attemptId } });
    });
    announced.length = 0;
    await outbox.claim(id, now);
    return { id, personId, channelId: turnId };
  }
  async function refuse(kind: 'direct' | 'channel', unreachable: 'person' | 'place', origin = 'outreach') {
    const { id, ...whom } = await begin(kind, origin);
    await outbox.noteResult({ outboxId: id, result: refused(unreachable) }, now);
    return { ...whom, heard: [...announced] };
  }

  it('in a channel names the channel and the attempt, and says nothing against the person', async () => {
    const { personId, channelId, heard } = await refuse('channel', 'place');
    expect(heard).toEqual([{ personId, channelId, attemptId, reason: 'Discord 403', at: now.toISOString() }]);
    expect((await refuse('channel', 'place', 'message')).heard).toEqual([]);
  });

  it('in a DM says that the person cannot be reached', async () => {
    const { heard } = await refuse('direct', 'person');
    expect(heard).toMatchObject([{ channelId: null, attemptId }]);
    expect((await refuse('direct', 'person', 'message')).heard).toMatchObject([{ attemptId: null }]);
    expect((await refuse('direct', 'place')).heard).toEqual([]);
  });

  it('stays to be delivered until that was announced', async () => {
    const { id } = await begin('direct');
    isRedisAway = true;
    await expect(outbox.noteResult({ outboxId: id, result: refused('person') }, now)).rejects.toThrow('away');
    isRedisAway = false;
    expect(await rowOf(id)).toMatchObject({ status: 'pending' });
    await outbox.noteResult({ outboxId: id, result: refused('person') }, now);
    expect(await rowOf(id)).toMatchObject({ status: 'failed' });
    expect(announced).toMatchObject([{ channelId: null, attemptId }]);
    await outbox.noteResult({ outboxId: id, result: refused('person') }, now);
    expect(announced).toHaveLength(1);
  });
});

describe('a reply that does not arrive', () => {
  const linesOf = (turnId: string) =>
    stores.query('SELECT text, withheld FROM transcript WHERE turn_id = $1', [turnId]);
  const ordersFor = (turnId: string) =>
    stores.query(`SELECT reason FROM forget_orders WHERE what ->> 'turnId' = $1`, [turnId]);

  async function end(outboxId: string, result: Parameters<Outbox['noteResult']>[0]['result']): Promise<void> {
    await outbox.claim(outboxId, now);
    await outbox.noteResult({ outboxId, result }, now);
  }

  const refused = { kind: 'failed' as const, reason: 'Discord 403/50013', unreachable: null };

  it('was not said, and what it promised is looked at again; as is what arrives in the end', async () => {
    const { outboxId, turnId } = await replyInTranscript();
    await end(outboxId, { ...refused, sent: [], said: '' });
    expect(await linesOf(turnId)).toMatchObject([{ withheld: 'undelivered' }]);
    expect(await ordersFor(turnId)).toEqual([{ reason: 'undelivered' }]);
    await stores.query(`UPDATE outbox SET status = 'pending', attempts = 0 WHERE id = $1`, [outboxId]);
    await end(outboxId, { kind: 'delivered', platformIds: ['1'] });
    expect(await linesOf(turnId)).toMatchObject([{ withheld: null }]);
    expect(await ordersFor(turnId)).toHaveLength(2);
  });

  it('was said as far as it arrived', async () => {
    const { outboxId, turnId } = await replyInTranscript();
    await end(outboxId, { ...refused, sent: ['1'], said: 'hello' });
    expect(await linesOf(turnId)).toEqual([{ text: 'hello', withheld: null }]);
    expect(await ordersFor(turnId)).toHaveLength(1);
  });

  describe('whole, and whose rest arrives once an operator retries', () => {
    /** Its beginning arrives, something may happen before or after it is retried, and the rest arrives. Returns what is said then. */
    async function arriveInParts(
      between: (turnId: string) => Promise<unknown>,
      onceRetried: () => Promise<unknown> = () => Promise.resolve(),
    ) {
      const { outboxId, turnId } = await replyInTranscript();
      await stores.query(
        `INSERT INTO conversations (conversation_id, person_id, companion_id, door, external_id, kind, audience)
         SELECT conversation_id, person_id, 'kith', 'discord', id::text, 'direct', 'direct' FROM outbox WHERE id = $1`,
        [outboxId],
      );
      await stores.query(`UPDATE outbox SET text = 'hello, I will ask tomorrow' WHERE id = $1`, [outboxId]);
      await end(outboxId, { ...refused, sent: ['1'], said: 'hello,' });
      await between(turnId);
      await new OutboxAdmin(database, messenger).retry(outboxId);
      await onceRetried();
      await end(outboxId, { kind: 'delivered', platformIds: ['1', '2'] });
      return { lines: await linesOf(turnId), orders: await ordersFor(turnId) };
    }

    it('was said whole', async () => {
      const { lines, orders } = await arriveInParts(() => Promise.resolve());
      expect(lines).toEqual([{ text: 'hello, I will ask tomorrow', withheld: null }]);
      expect(orders).toHaveLength(2);
    });

    const forgetSomething = () => database.asSystem((tx) => outdateReplies(tx, ANN));

    it('brings nothing back where something was forgotten in that place meanwhile', async () => {
      const { lines } = await arriveInParts(() => Promise.resolve(), forgetSomething);
      expect(lines).toEqual([{ text: 'hello,', withheld: null }]);
    });

    it.each([
      ['something was forgotten in that place before', forgetSomething],
      [
        'nobody knows any more what was forgotten there',
        () => stores.query(`DELETE FROM forget_orders WHERE reason = 'undelivered'`),
      ],
    ])('is not sent again where %s', async (_, before) => {
      let replied = '';
      const retried = arriveInParts(async (turnId) => {
        replied = turnId;
        await before();
      });
      await expect(retried).rejects.toMatchObject({ code: 'conflict' });
      expect(await stores.query('SELECT status FROM outbox WHERE turn_id = $1', [replied])).toEqual([
        { status: 'failed' },
      ]);
    });

    it('stays forgotten where it was forgotten itself', async () => {
      const { lines } = await arriveInParts((turnId) =>
        stores.query(`UPDATE transcript SET text = '', withheld = 'deleted' WHERE turn_id = $1`, [turnId]),
      );
      expect(lines).toEqual([{ text: '', withheld: 'deleted' }]);
    });

    it('stays in part where an operator gives up the rest', async () => {
      const { lines } = await arriveInParts(async (turnId) => {
        const [row] = await stores.query<{ id: string }>('SELECT id FROM outbox WHERE turn_id = $1', [
          turnId,
        ]);
        await new OutboxAdmin(database, messenger).drop(row!.id, 'enough', now);
        expect(await linesOf(turnId)).toEqual([{ text: 'hello,', withheld: null }]);
      });
      expect(lines).toEqual([{ text: 'hello, I will ask tomorrow', withheld: null }]);
    });
  });

  it('was said though an operator dropped it while its door was sending it', async () => {
    const { outboxId, turnId } = await replyInTranscript();
    await outbox.claim(outboxId, now);
    await new OutboxAdmin(database, messenger).drop(outboxId, 'enough', now);
    expect(await linesOf(turnId)).toMatchObject([{ withheld: 'undelivered' }]);
    await outbox.noteResult({ outboxId, result: lostAnswer }, now);
    expect(await rowOf(outboxId)).toMatchObject({ status: 'dropped', lastError: 'enough' });
    await outbox.noteResult({ outboxId, result: { kind: 'delivered', platformIds: ['1'] } }, now);
    expect(await rowOf(outboxId)).toMatchObject({ status: 'delivered', platformIds: ['1'] });
    expect(await linesOf(turnId)).toMatchObject([{ withheld: null }]);
    expect(await ordersFor(turnId)).toHaveLength(2);
  });

  it('stays dropped where it was deleted as its words were forgotten', async () => {
    const { outboxId, turnId } = await replyInTranscript();
    await outbox.claim(outboxId, now);
    await stores.query('UPDATE outbox SET forgotten_at = now() WHERE id = $1', [outboxId]);
    await outbox.noteResult({ outboxId, result: { kind: 'forgotten' } }, now);
    await outbox.noteResult({ outboxId, result: { kind: 'delivered', platformIds: ['1'] } }, now);
    expect(await rowOf(outboxId)).toMatchObject({ status: 'dropped', platformIds: [] });
    expect(await linesOf(turnId)).toMatchObject([{ withheld: 'undelivered' }]);
  });

  it('keeps no words that were forgotten while it was on its way', async () => {
    const { outboxId, turnId } = await replyInTranscript();
    await outbox.claim(outboxId, now);
    await stores.query(`UPDATE transcript SET text = '', withheld = 'deleted' WHERE turn_id = $1`, [turnId]);
    await outbox.noteResult({ outboxId, result: { kind: 'delivered', platformIds: ['1'] } }, now);
    expect(await rowOf(outboxId)).toMatchObject({ status: 'delivered', text: '' });
  });

  const empty = (turnId: string, why: Withheld) =>
    database.asSystem(async (tx) => {
      const lines = await tx.transcriptMessage.findMany({ where: { turnId }, select: { id: true } });
      await emptyLines(
        tx,
        lines.map(({ id }) => id),
        why,
      );
    });

  it.each(['forgotten', 'deleted'] as const)(
    'is not sent any more where it was %s while it waited',
    async (why) => {
      const { outboxId, turnId } = await replyInTranscript();
      await outbox.claim(outboxId, now);
      await outbox.noteSent({ outboxId, sent: ['m1', 'm2'] });
      await empty(turnId, why);
      await empty(turnId, 'edited');
      // Its door deletes what stands of it, and comes again where that fails.
      for (const attempt of [2, 3]) {
        const claimed = await outbox.claim(outboxId, now);
        expect(claimed).toMatchObject({ kind: 'claimed', isForgotten: true, attempt, sent: ['m1', 'm2'] });
      }
      expect(await outbox.noteResult({ outboxId, result: { kind: 'forgotten' } }, now)).toEqual({
        retryAfterMs: null,
      });
      const given = { status: 'dropped', text: '', platformIds: [], lastError: 'what it says was forgotten' };
      expect(await rowOf(outboxId)).toMatchObject(given);
    },
  );

  it.each(['forgotten', 'deleted'] as const)(
    'is deleted where it was %s while its door sent it, and was not said',
    async (why) => {
      const { outboxId, turnId } = await replyInTranscript();
      await outbox.claim(outboxId, now);
      await empty(turnId, why);
      const arrived = { kind: 'delivered' as const, platformIds: ['m1', 'm2'] };
      expect(await outbox.noteResult({ outboxId, result: arrived }, now)).toEqual({ retryAfterMs: 0 });
      const again = await outbox.claim(outboxId, now);
      expect(again).toMatchObject({ kind: 'claimed', isForgotten: true, sent: ['m1', 'm2'] });
      await outbox.noteResult({ outboxId, result: { kind: 'forgotten' } }, now);
      expect(await rowOf(outboxId)).toMatchObject({ status: 'dropped', text: '', platformIds: [] });
      expect(await linesOf(turnId)).toMatchObject([{ withheld: why }]);
    },
  );

  it('loses what arrived of it where it was forgotten before its rest was refused', async () => {
    const { outboxId, turnId } = await replyInTranscript();
    await outbox.claim(outboxId, now);
    await empty(turnId, 'forgotten');
    const result = { ...refused, sent: ['m1'], said: 'hello,' };
    expect(await outbox.noteResult({ outboxId, result }, now)).toEqual({ retryAfterMs: 0 });
    const again = await outbox.claim(outboxId, now);
    expect(again).toMatchObject({ kind: 'claimed', isForgotten: true, sent: ['m1'] });
    // A refused deletion is the end of it.
    const undeleted = { ...refused, sent: ['m1'], said: '' };
    expect(await outbox.noteResult({ outboxId, result: undeleted }, now)).toEqual({ retryAfterMs: null });
    expect(await rowOf(outboxId)).toMatchObject({ status: 'failed', text: '' });
  });

  it('is to be deleted where its person is being erased, or it was forgotten after it was dropped', async () => {
    const result = { kind: 'delivered' as const, platformIds: ['m1'] };
    const noted = async (meanwhile: (reply: { outboxId: string; turnId: string }) => Promise<unknown>) => {
      const reply = await replyInTranscript();
      await outbox.claim(reply.outboxId, now);
      await new OutboxAdmin(database, messenger).drop(reply.outboxId, 'enough', now);
      await meanwhile(reply);
      return outbox.noteResult({ outboxId: reply.outboxId, result }, now);
    };
    const isGone = { retryAfterMs: null, isGone: true };
    expect(await noted(({ turnId }) => empty(turnId, 'forgotten'))).toEqual(isGone);
    const erase = () =>
      stores.query(`INSERT INTO erasures (erased_id, asked_by) VALUES ($1, 'person')`, [ANN]);
    expect(await noted(erase)).toEqual(isGone);
    await stores.query('DELETE FROM erasures WHERE erased_id = $1', [ANN]);
  });

  it('is to be deleted where its words are being forgotten as its arrival is noted', async () => {
    const { outboxId } = await replyInTranscript();
    await outbox.claim(outboxId, now);
    const { noted } = await database.asSystem(async (tx) => {
      await tx.$executeRaw`UPDATE outbox SET forgotten_at = now() WHERE id = ${outboxId}::uuid`;
      const noted = outbox.noteResult({ outboxId, result: { kind: 'delivered', platformIds: ['m1'] } }, now);
      const waiting = 'SELECT 1 FROM pg_locks WHERE NOT granted';
      await eventually('the note waits', async () => (await stores.query(waiting)).length > 0);
      return { noted };
    });
    expect(await noted).toEqual({ retryAfterMs: 0 });
    expect(await rowOf(outboxId)).toMatchObject({ status: 'pending', platformIds: ['m1'] });
  });

  it('is to be deleted where its row went while its door sent it', async () => {
    const { outboxId } = await replyInTranscript();
    await outbox.claim(outboxId, now);
    await stores.query('DELETE FROM outbox WHERE id = $1', [outboxId]);
    const result = { kind: 'delivered' as const, platformIds: ['m1'] };
    expect(await outbox.noteResult({ outboxId, result }, now)).toEqual({ retryAfterMs: null, isGone: true });
  });

  it('was not said where an undo comes while it is deleted', async () => {
    const { outboxId, turnId } = await replyInTranscript();
    await empty(turnId, 'forgotten');
    await outbox.claim(outboxId, now);
    await stores.query(`UPDATE outbox SET forgotten_at = NULL WHERE id = $1`, [outboxId]);
    await stores.query(`UPDATE transcript SET text = 'hello', withheld = NULL WHERE turn_id = $1`, [turnId]);
    await outbox.noteResult({ outboxId, result: { kind: 'forgotten' } }, now);
    expect(await linesOf(turnId)).toEqual([{ text: 'hello', withheld: 'undelivered' }]);
  });

  it('is sent after an edit of what it repeats, and after private talk, whose lines lose their words', async () => {
    for (const why of ['edited', 'private'] as const) {
      const { outboxId, turnId } = await replyInTranscript();
      await empty(turnId, why);
      const claimed = await outbox.claim(outboxId, now);
      expect(claimed).toMatchObject({ kind: 'claimed', text: 'hello', isForgotten: false });
    }
  });

  it('is sent where what it answers was deleted, and so is a message elsewhere that has the same id', async () => {
    const { outboxId, turnId } = await replyInTranscript();
    const { conversationId } = await rowOf(outboxId);
    const elsewhere = randomUUID();
    const [line] = await stores.query<{ id: string }>(
      `WITH open AS (
         INSERT INTO inbox (conversation_id, person_id, door, external_id, text, sent_at)
         VALUES ($4, $3, 'http', 'm1', 'and here?', now()))
       INSERT INTO transcript (conversation_id, turn_id, person_id, role, name, external_id, text, at)
       VALUES ($1, $2, $3, 'person', 'Ann', 'm1', 'how are you?', now()) RETURNING id`,
      [conversationId, turnId, ANN, elsewhere],
    );
    await database.asSystem((tx) => emptyLines(tx, [BigInt(line!.id)], 'deleted'));
    expect(await outbox.claim(outboxId, now)).toMatchObject({ kind: 'claimed', isForgotten: false });
    const open = await stores.query('SELECT text FROM inbox WHERE conversation_id = $1', [elsewhere]);
    expect(open).toEqual([{ text: 'and here?' }]);
  });

  it('loses its words after its end is noted, where both happen at once', async () => {
    const { outboxId, turnId } = await replyInTranscript();
    const { emptied } = await database.asSystem(async (tx) => {
      await tx.$executeRaw`SELECT 1 FROM outbox WHERE id = ${outboxId}::uuid FOR UPDATE`;
      const emptied = empty(turnId, 'edited');
      const waiting = 'SELECT 1 FROM pg_locks WHERE NOT granted';
      await eventually('the change waits', async () => (await stores.query(waiting)).length > 0);
      await noteDelivered(tx, turnId, 'nothing');
      return { emptied };
    });
    await emptied;
    expect(await linesOf(turnId)).toEqual([{ text: '', withheld: 'edited' }]);
  });

  it('orders nothing where it simply arrives', async () => {
    const { outboxId, turnId } = await replyInTranscript();
    await end(outboxId, { kind: 'delivered', platformIds: ['1'] });
    expect(await ordersFor(turnId)).toEqual([]);
  });
});

describe('outreach that had to wait', () => {
  /** As a turn of the companion's own leaves it, with its line. */
  async function outreach(
    receivedAt: Date,
    attempts: number,
    createdAt = receivedAt,
  ): Promise<{ id: string; attemptId: string }> {
    const conversationId = randomUUID();
    const attemptId = randomUUID();
    const id = await reply(conversationId, createdAt, attempts);
    if (attempts > 0) await stores.query('UPDATE outbox SET first_tried_at = created_at WHERE id = $1', [id]);
    const { turnId } = await rowOf(id);
    await database.asSystem(async (tx) => {
      await tx.conversation.create({
        data: {
          id: conversationId,
          companionId: 'kith',
          door: 'discord',
          externalId: attemptId,
          kind: 'direct',
          audience: 'direct',
        },
      });
      const begun = {
        conversationId,
        door: 'discord',
        origin: 'outreach',
        outcome: 'answered',
        personId: ANN,
      };
      await tx.inboxMessage.create({
        data: { ...begun, turnId, externalId: attemptId, text: 'hello', sentAt: receivedAt, receivedAt },
      });
      const ended = { startedAt: createdAt, endedAt: createdAt, trace: {}, audience: 'direct' };
      await tx.turn.create({ data: { ...begun, ...ended, id: turnId, companionId: 'kith' } });
      await tx.transcriptMessage.create({
        data: {
          conversationId,
          turnId,
          personId: ANN,
          role: 'companion',
          name: 'Kith',
          text: 'hello',
          at: createdAt,
        },
      });
    });
    asked.length = 0;
    return { id, attemptId };
  }
  const lineOf = async (id: string) => {
    const { turnId } = await rowOf(id);
    return database.asSystem((tx) => tx.transcriptMessage.findFirstOrThrow({ where: { turnId } }));
  };

  it('is looked for first where it was tried, and is not called off once it is there', async () => {
    mayArrive = false;
    const { id } = await outreach(minutesAgo(1), 1);
    expect(await outbox.claim(id, now)).toMatchObject({ kind: 'claimed', attempt: 2, isInDoubt: true });
    expect(asked).toEqual([]);
    await outbox.noteResult({ outboxId: id, result: { kind: 'delivered', platformIds: ['m1'] } }, now);
    expect(await rowOf(id)).toMatchObject({ status: 'delivered', platformIds: ['m1'] });
    expect((await lineOf(id)).withheld).toBeNull();
  });

  it('is dropped where it is not there and would not be sent any more, and is no part of the talk', async () => {
    mayArrive = false;
    const { id, attemptId } = await outreach(minutesAgo(1), 1);
    await outbox.claim(id, now);
    expect(await outbox.claim(id, now, true)).toEqual({ kind: 'settled' });
    const writtenAt = (await rowOf(id)).createdAt.toISOString();
    expect(asked).toMatchObject([{ personId: ANN, attemptId, writtenAt, isForgotten: false }]);
    expect(await rowOf(id)).toMatchObject({
      status: 'dropped',
      lastError: 'outreach is not allowed any more',
      settledAt: now,
    });
    expect((await lineOf(id)).withheld).toBe('undelivered');
  });

  it('stays part of the talk where some of it arrives while it is called off', async () => {
    const { id } = await outreach(minutesAgo(5), 0);
    jest.spyOn(messenger, 'ask').mockImplementationOnce(async () => {
      await outbox.noteSent({ outboxId: id, sent: ['m1'] });
      return { allowed: false };
    });
    expect(await outbox.claim(id, now)).toEqual({ kind: 'settled' });
    expect(await rowOf(id)).toMatchObject({ status: 'dropped', platformIds: ['m1'], settledAt: now });
    expect((await lineOf(id)).withheld).toBeNull();
  });

  it('stays delivered where it arrived while the scheduler called it off', async () => {
    mayArrive = false;
    const { id } = await outreach(minutesAgo(1), 0);
    const arrived = { outboxId: id, result: { kind: 'delivered' as const, platformIds: ['m1'] } };
    whileAsked = () => outbox.noteResult(arrived, now);
    expect(await outbox.claim(id, now)).toEqual({ kind: 'settled' });
    whileAsked = async () => undefined;
    expect(await rowOf(id)).toMatchObject({ status: 'delivered', lastError: null });
    expect((await lineOf(id)).withheld).toBeNull();
  });

  it('is sent where it still would be', async () => {
    mayArrive = true;
    const { id } = await outreach(minutesAgo(5), 0);
    expect(await outbox.claim(id, now)).toMatchObject({ kind: 'claimed', attempt: 1 });
    expect(asked).toHaveLength(1);
    expect((await lineOf(id)).withheld).toBeNull();
    // A try that looks and then sends is one try.
    expect(await outbox.claim(id, now)).toMatchObject({ attempt: 2, isInDoubt: true });
    expect(await outbox.claim(id, now, true)).toMatchObject({ attempt: 2, isInDoubt: false });
    expect(asked).toHaveLength(2);
  });

  it('is asked about together with whether anything else of theirs is under way', async () => {
    mayArrive = false;
    await stores.query(`UPDATE outbox SET status = 'delivered'`);
    await stores.query(`UPDATE inbox SET outcome = 'answered'`);
    await outbox.claim((await outreach(minutesAgo(5), 0)).id, now);
    expect(asked).toMatchObject([{ isBusy: false }]);
    const { id } = await outreach(minutesAgo(5), 0);
    await reply(randomUUID());
    await outbox.claim(id, now);
    expect(asked).toMatchObject([{ isBusy: true }]);
  });

  it('is asked about together with the turns in which they spoke that may not be noticed yet', async () => {
    mayArrive = false;
    const turn = (turnId: string, age: string, followedUp: string) =>
      stores.query(
        `INSERT INTO turns (turn_id, conversation_id, companion_id, person_id, door, audience, origin, outcome, trace,
           started_at, ended_at, followed_up_at)
         SELECT $1, gen_random_uuid(), 'kith', $2, 'discord', 'direct', 'message', 'answered', '{}', at, at, ${followedUp}
         FROM (SELECT now() - $3::interval AS at)`,
        [turnId, ANN, age],
      );
    const said = randomUUID();
    await turn(said, '1 second', 'NULL');
    await turn(randomUUID(), '1 minute', 'now()');
    await turn(randomUUID(), '1 year', 'NULL');
    await outbox.claim((await outreach(minutesAgo(5), 0)).id, now);
    expect(asked).toMatchObject([{ spokenIn: [said] }]);
  });

  it('is asked about where its turn had to wait, however young the reply is', async () => {
    mayArrive = false;
    const { id } = await outreach(minutesAgo(20), 0, new Date(now.getTime() - 1_000));
    expect(await outbox.claim(id, now)).toEqual({ kind: 'settled' });
    expect(asked).toHaveLength(1);
  });

  it('is deleted once it is forgotten, young or half sent, and the scheduler is told', async () => {
    mayArrive = false;
    for (const sent of [[], ['m1']]) {
      const { id, attemptId } = await outreach(now, sent.length);
      await stores.query('UPDATE outbox SET forgotten_at = now(), platform_ids = $2 WHERE id = $1', [
        id,
        sent,
      ]);
      const claimed = await outbox.claim(id, now);
      expect(claimed).toMatchObject({ kind: 'claimed', isForgotten: true, isInDoubt: false, sent });
      expect(asked).toMatchObject([{ attemptId, isForgotten: true }]);
    }
  });

  it('waits for a scheduler that is away', async () => {
    mayArrive = null;
    const { id } = await outreach(minutesAgo(5), 0);
    expect(await outbox.claim(id, now)).toEqual({ kind: 'not-yet', retryAfterMs: 2_000 });
    expect(await rowOf(id)).toMatchObject({ status: 'pending', attempts: 0 });
    const tried = await outreach(minutesAgo(5), 4);
    await outbox.claim(tried.id, now);
    // Each look is a try: their waits grow, so that they are not used up while the scheduler is away.
    expect(await outbox.claim(tried.id, now, true)).toEqual({ kind: 'not-yet', retryAfterMs: 16_000 });
  });

  it('has its last try after it was looked for in vain, however long the scheduler was away', async () => {
    mayArrive = null;
    const { id } = await outreach(minutesAgo(5), 99);
    for (let look = 1; look <= 2; look += 1) {
      expect(await outbox.claim(id, now)).toMatchObject({ kind: 'claimed', isInDoubt: true, attempt: 100 });
      expect(await outbox.claim(id, now, true)).toMatchObject({ kind: 'not-yet' });
    }
    mayArrive = true;
    await outbox.claim(id, now);
    expect(await outbox.claim(id, now, true)).toMatchObject({ kind: 'claimed', attempt: 100 });
  });

  it('holds up no answer until a part of it has arrived', async () => {
    mayArrive = null;
    const { id } = await outreach(minutesAgo(5), 1);
    await outbox.claim(id, now);
    const answer = await reply((await rowOf(id)).conversationId);
    expect((await outbox.claim(answer, now)).kind).toBe('claimed');
    await outbox.noteSent({ outboxId: id, sent: ['m1'] });
    expect((await outbox.claim(answer, now)).kind).toBe('not-yet');
  });

  it('is asked about before its first try, though it was decided on just now', async () => {
    mayArrive = false;
    const { id } = await outreach(new Date(now.getTime() - 1_000), 0);
    expect(await outbox.claim(id, now)).toEqual({ kind: 'settled' });
    expect(asked).toHaveLength(1);
    expect((await lineOf(id)).withheld).toBe('undelivered');
  });

  it('goes on without a question once a part of it has arrived', async () => {
    mayArrive = false;
    const { id } = await outreach(minutesAgo(5), 1);
    await outbox.noteSent({ outboxId: id, sent: ['m1'] });
    expect((await outbox.claim(id, now)).kind).toBe('claimed');
    expect(asked).toEqual([]);
  });
});
