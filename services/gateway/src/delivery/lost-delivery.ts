import { gatewayContract, outreachContract } from '@kith/contracts';
import type { Database, OutboxMessageModel, Tx } from '@kith/database';
import type { Messenger } from '@kith/messaging';

/** End of a reply that is given up. */
export interface GivenUp {
  reason: string;
  /** Receiver that can't be written to any more. */
  unreachable?: 'person' | 'place' | null;
  /** True if the cause is temporary: the same reply may arrive later. */
  passes?: boolean;
  /** True if a part of it arrived that its row does not tell yet. */
  isArrived?: boolean;
}

/**
 * Tells other services that a reply is given up, if that has consequences. Call it before the row says so, because nobody
 * returns to the row afterwards. They may be told twice.
 */
export async function tellLost(
  database: Database,
  messenger: Messenger,
  outboxId: string,
  endOf: (row: OutboxMessageModel) => GivenUp | null,
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  const tell = await database.asSystem(async (tx) => {
    const row = await tx.outboxMessage.findUnique({ where: { id: outboxId, status: 'pending' } });
    const end = row && endOf(row);
    return end && consequenceOf(tx, row, end);
  });
  await tell?.(messenger, at);
}

/**
 * Finds how others are told of a reply that is given up: of a person, or of the place of an outreach, that can't be written
 * to any more, or of an outreach of which nothing has arrived. Null where it has no consequence.
 */
async function consequenceOf(
  tx: Tx,
  row: Pick<OutboxMessageModel, 'turnId' | 'conversationId' | 'personId' | 'platformIds'>,
  { reason, unreachable = null, passes = false, isArrived = false }: GivenUp,
): Promise<((messenger: Messenger, at: string) => Promise<void>) | null> {
  const { personId, conversationId } = row;
  const begun = await outreachOf(tx, row);
  const isLost = (channelId: string | null) => (messenger: Messenger, at: string) =>
    messenger.announce(gatewayContract.unreachable, {
      personId,
      attemptId: begun?.attemptId ?? null,
      reason,
      channelId,
      at,
    });
  if (unreachable === 'person') return isLost(null);
  if (!begun) return null;
  const place =
    unreachable === 'place' && (await tx.conversation.findUnique({ where: { id: conversationId } }));
  if (place && place.kind === 'channel') return isLost(place.externalId);
  if (isArrived || row.platformIds.length > 0) return null;
  return (messenger, at) =>
    messenger.enqueue(outreachContract.endUndelivered, { ...begun, reason, passes, at });
}

/** Finds the attempt at outreach that a turn carried out; null for a reply. */
export async function outreachOf(
  tx: Tx,
  { turnId, conversationId }: Pick<OutboxMessageModel, 'turnId' | 'conversationId'>,
): Promise<{ personId: string; attemptId: string } | null> {
  const begun = await tx.inboxMessage.findFirst({
    where: { conversationId, turnId, origin: 'outreach' },
    select: { externalId: true, personId: true },
  });
  return begun && { personId: begun.personId, attemptId: begun.externalId };
}
