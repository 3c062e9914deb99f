import { AppError, discordContract, type Delivery, type DeliveryList } from '@kith/contracts';
import { pageOf, type Database } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { z } from 'zod';
import { mayHoldForgotten, noteDelivered } from '../redaction/undelivered-reply.js';
import { outreachOf, tellLost } from './lost-delivery.js';
import { viewDelivery } from './view-delivery.js';

/** Lets an operator see, retry and drop replies that did not arrive. */
export class OutboxAdmin {
  constructor(
    private readonly database: Database,
    private readonly messenger: Messenger,
  ) {}

  /** Lists deliveries, the latest first; without a status, those that did not arrive. */
  async list(query: {
    status?: string | undefined;
    limit: number;
    cursor?: string | undefined;
  }): Promise<z.output<typeof DeliveryList>> {
    const { status, limit, cursor } = query;
    const rows = await this.database.asSystem((tx) =>
      tx.outboxMessage.findMany({
        // Starts after an id, whether or not its delivery has arrived meanwhile.
        where: { status: status ?? { in: ['pending', 'failed'] }, ...(cursor && { id: { lt: cursor } }) },
        orderBy: { id: 'desc' },
        take: limit + 1,
      }),
    );
    const { page, nextCursor } = pageOf(rows, limit, ({ id }) => id);
    return { deliveries: page.map(viewDelivery), nextCursor };
  }

  /** Shows one delivery. @throws AppError `not_found` */
  async show(outboxId: string): Promise<Delivery> {
    const row = await this.database.asSystem((tx) =>
      tx.outboxMessage.findUnique({ where: { id: outboxId } }),
    );
    if (!row) throw new AppError('not_found', `no delivery ${outboxId}`);
    return viewDelivery(row);
  }

  /**
   * Sends a reply again, with its tries counted from zero.
   * @throws AppError `conflict` if it was delivered, has no words left, may hold forgotten words, or is outreach of which
   *   nothing arrived: the scheduler decides on its reason anew
   */
  async retry(outboxId: string): Promise<Delivery> {
    const again = { status: 'pending', attempts: 0, settledAt: null };
    const delivery = await this.change(outboxId, again, { text: { not: '' } });
    await this.messenger.enqueue(discordContract.deliver, { outboxId });
    return delivery;
  }

  /** Gives a reply up, and stores the reason. @throws AppError `conflict` if it was delivered */
  async drop(outboxId: string, reason: string, now: Date): Promise<Delivery> {
    await tellLost(this.database, this.messenger, outboxId, () => ({ reason }), now);
    return this.change(outboxId, { status: 'dropped', lastError: reason, settledAt: now });
  }

  private async change(
    outboxId: string,
    data: { status: string; attempts?: number; lastError?: string; settledAt: Date | null },
    which: { text?: { not: '' } } = {},
  ): Promise<Delivery> {
    return this.database.asSystem(async (tx) => {
      const { count } = await tx.outboxMessage.updateMany({
        where: { id: outboxId, status: { not: 'delivered' }, ...which },
        data,
      });
      const row = await tx.outboxMessage.findUnique({ where: { id: outboxId } });
      if (!row) throw new AppError('not_found', `no delivery ${outboxId}`);
      if (count === 0) {
        const why = row.status === 'delivered' ? 'is delivered already' : 'has no words left';
        throw new AppError('conflict', `delivery ${outboxId} ${why}`);
      }
      if (data.status === 'pending' && row.platformIds.length === 0 && (await outreachOf(tx, row)))
        throw new AppError(
          'conflict',
          `delivery ${outboxId} is outreach that did not arrive: where its reason still holds, it is written anew`,
        );
      if (data.status === 'pending' && (await mayHoldForgotten(tx, row)))
        throw new AppError(
          'conflict',
          `delivery ${outboxId} arrived in part, and its rest may tell what was forgotten there since`,
        );
      if (data.status === 'dropped')
        await noteDelivered(tx, row.turnId, row.platformIds.length > 0 ? 'all' : 'nothing');
      return viewDelivery(row);
    });
  }
}
