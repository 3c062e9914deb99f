import { firstOf } from '@kith/contracts';
import type { Database } from '@kith/database';

/**
 * Tells whether a message of this person waits for its outcome, or a reply to them for its delivery.
 * @param attemptId outreach that does not count
 */
export async function isBusy(database: Database, personId: string, attemptId: string | null = null) {
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

/** Finds an outreach that was begun, with the time at which it was written; null where nothing was begun. */
export async function findOutreach(
  database: Database,
  personId: string,
  attemptId: string,
): Promise<{ answeredAt: Date | null } | null> {
  const [found] = await database.reader({ personId }).$queryRaw<{ answeredAt: Date | null }[]>`
    SELECT CASE WHEN inbox.outcome = 'answered' THEN coalesce(turns.ended_at, received_at) END AS "answeredAt"
    FROM inbox LEFT JOIN turns ON turns.turn_id = inbox.turn_id
    WHERE inbox.person_id = ${personId}::uuid AND external_id = ${attemptId} AND inbox.origin = 'outreach'
    LIMIT 1`;
  return found ?? null;
}
