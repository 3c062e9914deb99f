import { gatewayContract, outreachContract, type PayloadInput } from '@kith/contracts';
import type { Database, OutboxMessageModel, Tx } from '@kith/database';
import type { Messenger } from '@kith/messaging';

/** End of a reply that is given up. */
export interface GivenUp {
  reason: string;
  /** Receiver that can't be written to any more. */
  unreachable: 'person' | 'place' | null;
  /** True if the cause is temporary: the same reply may arrive later. */
  passes: boolean;
  /** True if a part of it arrived. */
  isArrived: boolean;
}

/** Consequence of a reply that is given up. */
type LossReport =
  /** A person, or the place of an outreach, that can't be written to any more. */
  | { kind: 'receiver'; refusal: Omit<PayloadInput<typeof gatewayContract.unreachable>, 'at'> }
  /** An outreach of which nothing has arrived. */
  | { kind: 'outreach'; attempt: Omit<PayloadInput<typeof outreachContract.endUndelivered>, 'at'> };

/**
 * Tells other services that a reply is given up, if that has consequences. Call it before the row says so, because nobody
 * returns to the row afterwards. They may be told twice.
 */
export async function tellLost(
  { database, messenger }: { database: Database; messenger: Messenger },
  outboxId: string,
  endOf: (row: OutboxMessageModel) => GivenUp | null,
  now: Date,
): Promise<void> {
  const lost = await database.asSystem(async (tx) => {
    const row = await tx.outboxMessage.findUnique({ where: { id: outboxId, status: 'pending' } });
    const end = row && endOf(row);
    return end && findLost(tx, row, end);
  });
  const at = now.toISOString();
  if (lost?.kind === 'receiver')
    await messenger.announce(gatewayContract.unreachable, { ...lost.refusal, at });
  if (lost?.kind === 'outreach')
    await messenger.enqueue(outreachContract.endUndelivered, { ...lost.attempt, at });
}

/** Finds the consequence of a reply that is given up; null where there is none. */
async function findLost(
  tx: Tx,
  row: Pick<OutboxMessageModel, 'turnId' | 'conversationId' | 'personId'>,
  { reason, unreachable, passes, isArrived }: GivenUp,
): Promise<LossReport | null> {
  const { personId, conversationId } = row;
  const begun = await outreachOf(tx, row);
  const lost = { personId, attemptId: begun?.attemptId ?? null, reason };
  if (unreachable === 'person') return { kind: 'receiver', refusal: { ...lost, channelId: null } };
  if (!begun) return null;
  const place =
    unreachable === 'place' && (await tx.conversation.findUnique({ where: { id: conversationId } }));
  if (place && place.kind === 'channel')
    return { kind: 'receiver', refusal: { ...lost, channelId: place.externalId } };
  return isArrived ? null : { kind: 'outreach', attempt: { ...begun, reason, passes } };
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
