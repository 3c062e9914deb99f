import type { Database } from '@kith/database';

/** Tells whether a message of this person waits for its outcome, or a reply to them for its delivery. */
export function isBusy(database: Database, personId: string): Promise<boolean> {
  return database.asPerson(personId, async (tx) => {
    const open = await tx.inboxMessage.findFirst({
      where: { personId, outcome: null },
      select: { id: true },
    });
    if (open) return true;
    const undelivered = await tx.outboxMessage.findFirst({
      where: { personId, status: 'pending' },
      select: { id: true },
    });
    return undelivered !== null;
  });
}
