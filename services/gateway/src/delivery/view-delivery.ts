import type { Delivery } from '@kith/contracts';

interface OutboxRow {
  id: string;
  turnId: string;
  personId: string;
  door: string;
  status: string;
  attempts: number;
  lastError: string | null;
  platformIds: string[];
  createdAt: Date;
  firstTriedAt: Date | null;
  settledAt: Date | null;
}

/** An outbox row as an operator may see it: everything but what is said in it. */
export function viewDelivery(row: OutboxRow): Delivery {
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
