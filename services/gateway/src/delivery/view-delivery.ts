import type { Delivery } from '@kith/contracts';
import type { OutboxMessageModel } from '@kith/database';

/** Shows an operator an outbox row: everything but what it says. */
export function viewDelivery(row: OutboxMessageModel): Delivery {
  const { id: outboxId, turnId, personId, door, status, attempts, lastError, platformIds } = row;
  return {
    outboxId,
    turnId,
    personId,
    door,
    status,
    attempts,
    lastError,
    platformIds,
    createdAt: row.createdAt.toISOString(),
    firstTriedAt: row.firstTriedAt?.toISOString() ?? null,
    settledAt: row.settledAt?.toISOString() ?? null,
  };
}
