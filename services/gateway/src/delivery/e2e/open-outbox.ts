import { randomUUID } from 'node:crypto';
import { AppError } from '@kith/contracts';
import { Database } from '@kith/database';
import { Messenger } from '@kith/messaging';
import { freshStores, type FreshStores } from '@kith/testing';
import { pino } from 'pino';
import { OutboxAdmin } from '../outbox-admin.js';
import { Outbox } from '../outbox.js';

export let stores: FreshStores;
export let database: Database;
export let messenger: Messenger;
/** Neighbours as they are at present. */
export const others = {
  /** While set, Redis is away. */
  isRedisAway: false,
  /** Word of the scheduler on outreach that waits; null while it is away. */
  mayArrive: null as boolean | null,
  /** Work of others while the scheduler thinks. */
  whileAsked: async (): Promise<unknown> => undefined,
};
/** Announcements, as they were. */
export const announced: unknown[] = [];
/** Questions that the scheduler was asked. */
export const asked: unknown[] = [];
class NotingMessenger extends Messenger {
  override announce(...[event, payload]: Parameters<Messenger['announce']>): Promise<void> {
    if (others.isRedisAway) throw new AppError('unavailable', 'Redis is away');
    announced.push(payload);
    return super.announce(event, payload);
  }

  override ask(...[, request]: Parameters<Messenger['ask']>): never {
    asked.push(request);
    if (others.mayArrive === null) throw new AppError('unavailable', 'no answer');
    return others.whileAsked().then(() => ({ allowed: others.mayArrive })) as never;
  }
}
export let outbox: Outbox;
export let admin: OutboxAdmin;
export const ANN = randomUUID();
export const now = new Date('2026-03-01T12:00:00Z');
export const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

/** Starts stores, and an outbox in them. */
export async function openOutbox(): Promise<void> {
  stores = await freshStores();
  database = new Database({ url: stores.databaseUrl, poolSize: 3 });
  messenger = new NotingMessenger({
    redisUrl: stores.redisUrl,
    service: 'gateway',
    logger: pino({ level: 'silent' }),
  });
  outbox = new Outbox(database, messenger);
  admin = new OutboxAdmin(database, messenger);
}

/** Ends what was started. */
export async function closeOutbox(): Promise<void> {
  await messenger.close();
  await database.close();
  await stores.stop();
}

/** A reply as a turn leaves it. */
export async function reply(
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
export async function replyInTranscript(): Promise<{ outboxId: string; turnId: string }> {
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

export async function rowOf(id: string) {
  return database.asSystem((tx) => tx.outboxMessage.findUniqueOrThrow({ where: { id } }));
}

/** Has a door come back with a result. */
export async function noteResult(
  outboxId: string,
  result: Parameters<Outbox['noteResult']>[0]['result'],
  at = now,
) {
  return outbox.noteResult({ outboxId, result }, at);
}

export const arrived = (...platformIds: string[]) => ({ kind: 'delivered' as const, platformIds });
export const lostAnswer = { kind: 'retry' as const, reason: 'Discord 502', waitMs: 0, sent: [], said: '' };
