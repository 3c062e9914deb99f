import { firstOf, MAX_TURNS_IN_JOB } from '@kith/contracts';
import { columnOf, LEDGER_DAYS, type Database } from '@kith/database';

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

/** Days after which the scheduler may have forgotten that it noticed a turn, with one for clocks that differ. */
const MAX_DAYS = LEDGER_DAYS - 1;

/**
 * Reads what decides whether an outreach may still arrive: whether anything else of its person is under way, and the latest
 * turns in which they spoke of which not all that follows is known to be done.
 */
export async function whatIsUnderWay(database: Database, personId: string, attemptId: string) {
  const [busy, spokenIn] = await Promise.all([
    isBusy(database, personId, attemptId),
    columnOf(database.reader({ personId }))`
      SELECT turn_id FROM turns
      WHERE person_id = ${personId}::uuid AND origin = 'message' AND followed_up_at IS NULL
        AND ended_at > now() - ${MAX_DAYS} * interval '1 day'
      ORDER BY ended_at DESC LIMIT ${MAX_TURNS_IN_JOB}`,
  ]);
  return { isBusy: busy, spokenIn };
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
