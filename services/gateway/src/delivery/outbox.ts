import { DiscordTarget, gatewayContract, type RequestOutput, type ResponseInput } from '@kith/contracts';
import type { Database } from '@kith/database';
import type { Messenger } from '@kith/messaging';

type Claimed = ResponseInput<typeof gatewayContract.claimDelivery>;
type Settlement = RequestOutput<typeof gatewayContract.settleDelivery>;

/** Replies on their way to a door that must be called. */
export class Outbox {
  constructor(
    private readonly database: Database,
    private readonly messenger: Messenger,
  ) {}

  /** What to send and where; null once it has been delivered or given up. */
  claim(outboxId: string): Promise<Claimed> {
    return this.database.asSystem(async (tx) => {
      const row = await tx.outboxMessage.findUnique({ where: { id: outboxId } });
      if (row?.status !== 'pending') return { delivery: null };
      const { attempts } = await tx.outboxMessage.update({
        where: { id: outboxId },
        data: { attempts: { increment: 1 } },
      });
      return {
        delivery: { outboxId, target: DiscordTarget.parse(row.target), text: row.text, attempt: attempts },
      };
    });
  }

  /** Notes how a delivery ended; a person who can't be reached is announced. */
  async settle({ outboxId, result }: Settlement, now: Date): Promise<void> {
    const row = await this.database.asSystem(async (tx) => {
      const changes = {
        delivered: result.kind === 'delivered' && { status: 'delivered', platformIds: result.platformIds },
        failed: result.kind === 'failed' && { status: 'failed', lastError: result.reason },
        retry: result.kind === 'retry' && { lastError: result.reason },
      }[result.kind];
      const settledAt = result.kind === 'retry' ? {} : { settledAt: now };
      const { count } = await tx.outboxMessage.updateMany({
        where: { id: outboxId, status: 'pending' },
        data: { ...changes, ...settledAt },
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
