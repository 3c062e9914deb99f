import type { Delivery } from '@kith/contracts';
import type { OutboxMessageModel } from '@kith/database';

/** Shows an operator an outbox row: everything but what it says. */
export function viewDelivery(row: OutboxMessageModel): Delivery {
  return {
    outboxId: row.id,
    turnId: row.turnId,
    personId: row.personId,
    door: row.door,
    status: row.status,
    attempts: row.attempts,
    lastError: row.lastError,
    platformIds: row.platformIds,
    createdAt: row.createdAt.toISOString(),
    firstTriedAt: row.firstTriedAt?.toISOString() ?? null,
    settledAt: row.settledAt?.toISOString() ?? null,
  };
}
