import { lastOf, type ModelUsage, present } from '@kith/contracts';
import type { Database, Writer } from '@kith/database';
import type { FinishedTurn } from '../answer/finished-turn.js';
import { TurnInterrupted } from '../signals/interruptions.js';
import { endLease } from '../inbox/lease.js';
import type { Claim } from '../inbox/claim.js';
import { insertUsage } from '../safety/usage-ledger.js';
import { insertStep } from '../steps/step-log.js';
import { saveTurn } from './save-turn.js';

/** Result of a commit. */
export interface CommittedTurn {
  /** The outbox row, where the door must be called. */
  outboxId: string | null;
  /** More came in meanwhile: whoever looked for the lease in that time went away again. */
  more: boolean;
}

interface Ended {
  /** Rows that were still as they were claimed, and have their outcome now. */
  ended: number;
  stopped: boolean;
  /** Another message of the speaker waits. */
  open: boolean;
  /** The next one is to be answered, too. */
  newer: boolean;
}

/**
 * Commits an outcome in one transaction: transcript, turn, outbox, usage and the inbox rows' outcome, with the lease
 * given back. May be repeated: then it returns what an earlier try committed.
 * @param mayBeOvertaken a newer message of the speaker takes this turn over, rather than be the next one
 * @param usage rows of what it cost that nobody has written yet
 * @throws TurnInterrupted when the lease went to another worker meanwhile, a message of the burst was changed or
 *   stopped, or a newer one overtook it: nothing is written then
 */
export function commitTurn(
  database: Database,
  claim: Claim,
  turn: FinishedTurn,
  mayBeOvertaken: boolean,
  usage: readonly ModelUsage[] = [],
): Promise<CommittedTurn> {
  return database.write({ conversationId: claim.conversationId }, async (tx) => {
    const [isHeld, { ended, stopped, open, newer }] = await Promise.all([
      endLease(tx, claim),
      endMessages(tx, claim, turn),
    ]);
    if (!isHeld) throw new TurnInterrupted('lease-lost');
    if (ended !== claim.burst.length) {
      const before = await committedBefore(tx, turn.turnId);
      if (before) return { ...before, more: open };
      throw new TurnInterrupted(stopped ? 'stopped' : 'revised');
    }
    if (newer && mayBeOvertaken) throw new TurnInterrupted('overtaken');
    const [outboxId] = await tx.last(() =>
      Promise.all([
        saveTurn(tx, claim, turn),
        ...(turn.lastStep ? [insertStep(tx, claim, turn.turnId, turn.lastStep)] : []),
        ...(usage.length > 0 ? [insertUsage(tx, usage)] : []),
      ]),
    );
    return { outboxId, more: open };
  });
}

/** Gives the burst's messages their outcome, and tells what else waits. */
async function endMessages(tx: Writer, claim: Claim, turn: FinishedTurn): Promise<Ended> {
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
    ), waiting AS MATERIALIZED (
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

/**
 * Ends a message of which not even the apology can be kept, so that the next one is answered. Writes nothing but its
 * outcome.
 */
export function dropMessages(database: Database, claim: Claim, reason: string): Promise<void> {
  return database.write({ conversationId: claim.conversationId }, async (tx) => {
    if (!(await endLease(tx, claim))) return;
    await tx.$executeRaw`
      UPDATE inbox SET outcome = 'dropped', outcome_reason = ${reason}, ended_at = now()
      WHERE id = ANY(${claim.burst.map(({ id }) => id)}) AND outcome IS NULL`;
  });
}

/** Finds the turn as an earlier try committed it whose answer was lost; null when none did. */
async function committedBefore(tx: Writer, turnId: string): Promise<Pick<CommittedTurn, 'outboxId'> | null> {
  const [found] = await tx.$queryRaw<{ outboxId: string | null }[]>`
    SELECT outbox.id AS "outboxId" FROM turns LEFT JOIN outbox USING (turn_id) WHERE turn_id = ${turnId}::uuid LIMIT 1`;
  return found ?? null;
}

/** Tells whether the speaker's next message takes this turn over. */
export function isOvertaken(
  database: Database,
  { conversationId, personId, burst }: Claim,
): Promise<boolean> {
  return database.read({ conversationId }, async (reader) => {
    const [next] = await reader.$queryRaw<{ isToBeAnswered: boolean }[]>`
      SELECT origin = 'message' AND deleted_at IS NULL AND stopped_at IS NULL AS "isToBeAnswered"
      FROM inbox
      WHERE conversation_id = ${conversationId}::uuid AND person_id = ${personId}::uuid AND outcome IS NULL
        AND id > ${lastOf(burst).id}
      ORDER BY id LIMIT 1`;
    return next?.isToBeAnswered === true;
  });
}
