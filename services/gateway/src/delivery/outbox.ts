import { DiscordTarget, gatewayContract, type RequestOutput, type ResponseInput } from '@kith/contracts';
import type { Database, Tx } from '@kith/database';
import type { Messenger } from '@kith/messaging';

type Claimed = ResponseInput<typeof gatewayContract.claimDelivery>;
type Settlement = RequestOutput<typeof gatewayContract.settleDelivery>;

/** A reply that is stuck holds up the later ones of its conversation for this long, and no longer. */
const KEEP_ORDER_MS = 120_000;

/** Replies on their way to a door that must be called. */
export class Outbox {
  constructor(
    private readonly database: Database,
    private readonly messenger: Messenger,
  ) {}

  /** What to send and where, if it is this reply's turn. Counts the attempt. */
  claim(outboxId: string, now: Date): Promise<Claimed> {
    return this.database.asSystem(async (tx): Promise<Claimed> => {
      const row = await tx.outboxMessage.findUnique({ where: { id: outboxId } });
      if (row?.status !== 'pending') return { kind: 'settled' };
      const { conversationId, createdAt } = row;
      const earlier = await tx.outboxMessage.findFirst({
        where: {
          conversationId,
          status: 'pending',
          createdAt: { lt: createdAt, gt: new Date(now.getTime() - KEEP_ORDER_MS) },
        },
        select: { id: true },
      });
      if (earlier) return { kind: 'not-yet' };
      const firstTriedAt = row.firstTriedAt ?? now;
      const { attempts } = await tx.outboxMessage.update({
        where: { id: outboxId },
        data: { attempts: { increment: 1 }, firstTriedAt },
        select: { attempts: true },
      });
      return {
        kind: 'claimed',
        outboxId,
        turnId: row.turnId,
        target: DiscordTarget.parse(row.target),
        text: row.text,
        attempt: attempts,
        firstTriedAt: firstTriedAt.toISOString(),
        sent: row.platformIds,
        othersSent: attempts === 1 ? [] : await othersSent(tx, row),
      };
    });
  }

  /** Notes how a delivery ended; a person who can't be reached is announced. */
  async settle({ outboxId, result }: Settlement, now: Date): Promise<void> {
    const row = await this.database.asSystem(async (tx) => {
      const { count } = await tx.outboxMessage.updateMany({
        where: { id: outboxId, status: 'pending' },
        data: changesFor(result, now),
      });
      return count ? tx.outboxMessage.findUnique({ where: { id: outboxId } }) : null;
    });
    if (row && result.kind === 'failed' && result.unreachable) {
      await this.messenger.announce(gatewayContract.unreachable, {
        personId: row.personId,
        reason: result.reason,
        at: now.toISOString(),
      });
    }
  }
}

function changesFor(result: Settlement['result'], now: Date) {
  switch (result.kind) {
    case 'delivered':
      return { status: 'delivered', platformIds: result.platformIds, settledAt: now };
    case 'failed':
      return { status: 'failed', lastError: result.reason, settledAt: now };
    case 'retry':
      return { lastError: result.reason, ...(result.sent.length > 0 ? { platformIds: result.sent } : {}) };
  }
}

async function othersSent(
  tx: Tx,
  row: { id: string; conversationId: string; firstTriedAt: Date | null },
): Promise<string[]> {
  const others = await tx.outboxMessage.findMany({
    where: {
      conversationId: row.conversationId,
      id: { not: row.id },
      settledAt: { gt: row.firstTriedAt ?? new Date(0) },
    },
    select: { platformIds: true },
    take: 100,
  });
  return others.flatMap(({ platformIds }) => platformIds);
}
