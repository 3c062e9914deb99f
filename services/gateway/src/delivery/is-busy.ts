import { firstOf } from '@kith/contracts';
import type { Database } from '@kith/database';

/**
 * Tells whether a message of this person waits for its outcome, or a reply to them for its delivery.
 * @param attemptId outreach that does not count
 */
export async function isBusy(
  database: Database,
  personId: string,
  attemptId: string | null = null,
): Promise<boolean> {
  const rows = await database.reader({ personId }).$queryRaw<{ busy: boolean }[]>`
    SELECT EXISTS (
      SELECT 1 FROM inbox
      WHERE person_id = ${personId}::uuid AND outcome IS NULL AND external_id IS DISTINCT FROM ${attemptId}
    ) OR EXISTS (
      SELECT 1 FROM outbox WHERE person_id = ${personId}::uuid AND status = 'pending' AND NOT EXISTS (
        SELECT 1 FROM inbox WHERE inbox.conversation_id = outbox.conversation_id AND external_id = ${attemptId}
          AND inbox.turn_id = outbox.turn_id
      )
    ) AS busy`;
  return firstOf(rows).busy;
}

/** Finds the turn of an outreach that was begun, by its outcome; null where nothing was begun. */
export function findOutreach(
  database: Database,
  personId: string,
  attemptId: string,
): Promise<{ outcome: string | null } | null> {
  return database.asPerson(personId, (tx) =>
    tx.inboxMessage.findFirst({
      where: { personId, externalId: attemptId, origin: 'outreach' },
      select: { outcome: true },
    }),
  );
}
