import { Delivery, timesAsText } from '@kith/contracts';
import type { OutboxMessageModel } from '@kith/database';

/** Shows an operator an outbox row: everything but what it says. */
export function viewDelivery(row: OutboxMessageModel): Delivery {
  return Delivery.parse({ ...timesAsText(row), outboxId: row.id });
}
