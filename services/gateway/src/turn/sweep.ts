import { discordContract, gatewayContract } from '@kith/contracts';
import type { Database } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { FollowUps } from './follow-ups.js';

/** Younger rows are simply under way. */
const OVERDUE_MS = 30_000;
/** A round's size: what is beyond it waits for the next round. */
const BATCH = 500;
/** As many tries as the delivery job has. */
const MAX_DELIVERY_ATTEMPTS = 8;

/**
 * Puts back to work what Redis lost or a crash cut off: accepted messages without an outcome, turns whose
 * follow-ups were not queued, replies that were not delivered.
 */
export async function sweep(
  parts: { database: Database; messenger: Messenger; followUps: FollowUps; logger: Logger },
  now: Date,
): Promise<void> {
  const { database, messenger, logger } = parts;
  const overdue = new Date(now.getTime() - OVERDUE_MS);
  const { inbox, turns, outbox } = await database.asSystem(async (tx) => {
    await tx.outboxMessage.updateMany({
      where: { status: 'pending', attempts: { gte: MAX_DELIVERY_ATTEMPTS } },
      data: { status: 'failed', settledAt: now },
    });
    return {
      inbox: await tx.inboxMessage.findMany({
        where: { outcome: null, receivedAt: { lt: overdue } },
        distinct: ['conversationId'],
        orderBy: { id: 'asc' },
        take: BATCH,
        select: { id: true, conversationId: true },
      }),
      turns: await tx.turn.findMany({
        where: { followedUpAt: null, endedAt: { lt: overdue } },
        take: BATCH,
        select: { id: true },
      }),
      outbox: await tx.outboxMessage.findMany({
        where: { status: 'pending', createdAt: { lt: overdue } },
        take: BATCH,
        select: { id: true },
      }),
    };
  });
  for (const { id, conversationId } of inbox) {
    await messenger.enqueue(gatewayContract.takeTurn, { conversationId, inboxId: String(id) });
  }
  for (const { id } of turns) await parts.followUps.queue(id, null);
  for (const { id } of outbox) await messenger.enqueue(discordContract.deliver, { outboxId: id });
  if (inbox.length + turns.length + outbox.length > 0) {
    logger.warn(
      { messages: inbox.length, turns: turns.length, deliveries: outbox.length },
      'sweeper put overdue work back',
    );
  }
}
