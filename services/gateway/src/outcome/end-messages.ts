import { present, lastOf } from '@kith/contracts';
import type { Writer } from '@kith/database';
import type { FinishedTurn } from '../answer/finished-turn.js';
import type { Claim } from '../inbox/claim.js';

interface Ended {
  /** Rows that were still as they were claimed, and have their outcome now. */
  ended: number;
  stopped: boolean;
  /** Another message of the speaker waits. */
  open: boolean;
  /** The next one is to be answered, too. */
  newer: boolean;
}

/** Gives the burst's messages their outcome, and tells what else waits. */
export async function endMessages(tx: Writer, claim: Claim, turn: FinishedTurn): Promise<Ended> {
  const { conversationId, personId, burst } = claim;
  const ids = burst.map(({ id }) => id);
  const revisions = burst.map(({ revision }) => revision);
  // What was deleted is dropped, whatever became of the messages beside it.
  const [result] = await tx.$queryRaw<Ended[]>`
    WITH ended AS (
      UPDATE inbox SET turn_id = ${turn.turnId}::uuid, ended_at = ${turn.endedAt}, quote = NULL,
        outcome = CASE WHEN deleted_at IS NULL THEN ${turn.outcome} ELSE 'dropped' END,
        outcome_reason = CASE WHEN deleted_at IS NULL THEN ${turn.reason} ELSE 'deleted' END
      FROM unnest(${ids}::bigint[], ${revisions}::int[]) AS claimed (id, revision)
      WHERE inbox.id = claimed.id AND inbox.revision = claimed.revision AND outcome IS NULL
      RETURNING inbox.id
    ), waiting AS (
      SELECT id, origin, deleted_at, stopped_at FROM inbox
      WHERE conversation_id = ${conversationId}::uuid AND person_id = ${personId}::uuid AND outcome IS NULL
    )
    SELECT (SELECT count(*)::int FROM ended) AS ended,
      EXISTS (SELECT 1 FROM waiting WHERE id = ANY(${ids}::bigint[]) AND stopped_at IS NOT NULL) AS stopped,
      EXISTS (SELECT 1 FROM waiting WHERE id <> ALL(${ids}::bigint[])) AS open,
      coalesce((
        SELECT origin = 'message' AND deleted_at IS NULL AND stopped_at IS NULL
        FROM waiting WHERE id > ${lastOf(ids)} ORDER BY id LIMIT 1
      ), false) AS newer`;
  return present(result);
}
