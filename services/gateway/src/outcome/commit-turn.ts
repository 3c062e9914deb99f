import { firstOf, lastOf, type ModelUsage, type NamedReason, present } from '@kith/contracts';
import { sql, type Database, type Writer } from '@kith/database';
import type { FinishedTurn } from '../answer/finished-turn.js';
import { TurnInterrupted } from '../signals/interruptions.js';
import { turnIdOf } from '../signals/turn-id-of.js';
import { endLease, lockLease } from '../inbox/lease.js';
import type { Claim } from '../inbox/claim.js';
import { losesWords, wordsOfDropped } from '../inbox/lost-words.js';
import { insertUsage } from '../safety/usage-records.js';
import { insertStep } from '../steps/step-log.js';
import { saveTurn } from './save-turn.js';

/** Result of a commit. */
export interface CommittedTurn {
  /** The outbox row, where the door must be called. */
  outboxId: string | null;
  /** True if more messages came in meanwhile: workers that found the lease taken have left them. */
  more: boolean;
}

/** Answer of the store about a turn that is to be committed. */
interface Verdict {
  /** The lease is still this worker's. */
  held: boolean;
  /** Rows that have their outcome now: all of them, or none. */
  ended: number;
  /** None of them was changed or stopped since it was claimed. */
  isUnchanged: boolean;
  stopped: boolean;
  /** Another message of the speaker waits. */
  open: boolean;
}

/**
 * Commits an outcome in one transaction and one round trip: transcript, turn, outbox, usage and the inbox rows' outcome,
 * with the lease given back. May be repeated: then it returns what an earlier try committed.
 * @param mayBeOvertaken a newer message of the speaker takes this turn over, rather than be the next one
 * @param usage rows of what it cost that nobody has written yet
 * @throws TurnInterrupted when the lease went to another worker meanwhile, a message of the burst was changed or
 *   stopped, or a newer one overtook it: nothing is written then
 */
export async function commitTurn(
  database: Database,
  claim: Claim,
  turn: FinishedTurn,
  mayBeOvertaken: boolean,
  usage: readonly ModelUsage[] = [],
): Promise<CommittedTurn> {
  const { conversationId, personId, burst } = claim;
  // Only of a row that this very transaction has written: one that an earlier try ended has its turn already.
  const isEnded = sql`EXISTS (
    SELECT 1 FROM inbox
    WHERE id = ${firstOf(burst).id} AND turn_id = ${turn.turnId}::uuid AND xmin = pg_current_xact_id()::xid)`;
  const [, verdict, outboxId] = await database.write({ personId, conversationId }, (tx) =>
    tx.last(() =>
      Promise.all([
        lockLease(tx, claim),
        endMessages(tx, claim, turn, mayBeOvertaken),
        saveTurn(tx, claim, turn, isEnded),
        ...(turn.lastStep ? [insertStep(tx, claim, turn.turnId, turn.lastStep, isEnded)] : []),
        ...(usage.length > 0 ? [insertUsage(tx, usage, isEnded)] : []),
      ]),
    ),
  );
  const { held, ended, isUnchanged, stopped, open } = verdict;
  if (ended === burst.length) return { outboxId, more: open };
  if (!held) throw new TurnInterrupted('lease-lost');
  const before = await committedBefore(database, conversationId, turn.turnId);
  if (before) return { ...before, more: open };
  throw new TurnInterrupted(stopped ? 'stopped' : isUnchanged ? 'overtaken' : 'revised');
}

/**
 * Gives the burst's messages their outcome and ends the lease, unless a check of the verdict fails. Returns the
 * verdict.
 */
async function endMessages(tx: Writer, claim: Claim, turn: FinishedTurn, mayBeOvertaken: boolean) {
  const { conversationId, personId, burst, leaseToken } = claim;
  const ids = burst.map(({ id }) => id);
  const revisions = burst.map(({ revision }) => revision);
  // What was deleted is dropped, whatever became of the messages beside it.
  const [verdict] = await tx.$queryRaw<Verdict[]>`
    WITH unchanged AS MATERIALIZED (
      SELECT inbox.id FROM unnest(${ids}::bigint[], ${revisions}::int[]) AS claimed (id, revision)
      JOIN inbox ON inbox.id = claimed.id AND inbox.revision = claimed.revision
      WHERE outcome IS NULL FOR UPDATE OF inbox
    ), waiting AS MATERIALIZED (
      SELECT id, origin, deleted_at, stopped_at FROM inbox
      WHERE conversation_id = ${conversationId}::uuid AND person_id = ${personId}::uuid AND outcome IS NULL
    ), verdict AS MATERIALIZED (
      SELECT EXISTS (SELECT 1 FROM inbox WHERE id = ${firstOf(ids)} AND lease_token = ${leaseToken}) AS held,
        (SELECT count(*) FROM unchanged) = ${ids.length} AS "isUnchanged",
        EXISTS (SELECT 1 FROM waiting WHERE id = ANY(${ids}::bigint[]) AND stopped_at IS NOT NULL) AS stopped,
        EXISTS (SELECT 1 FROM waiting WHERE id <> ALL(${ids}::bigint[])) AS open,
        ${mayBeOvertaken} AND coalesce((
          SELECT origin = 'message' AND deleted_at IS NULL
          FROM waiting WHERE id > ${lastOf(ids)} ORDER BY id LIMIT 1
        ), false) AS "isTakenOver"
    ), ended AS (
      UPDATE inbox SET turn_id = ${turn.turnId}::uuid, ended_at = ${turn.endedAt}, lease_until = NULL,
        outcome = CASE WHEN deleted_at IS NULL THEN ${turn.outcome} ELSE 'dropped' END,
        outcome_reason = CASE WHEN deleted_at IS NULL THEN ${turn.reason} ELSE 'deleted' END
      FROM verdict
      WHERE inbox.id = ANY(${ids}::bigint[]) AND held AND "isUnchanged" AND NOT "isTakenOver"
      RETURNING inbox.id
    )
    SELECT held, "isUnchanged", stopped, open, (SELECT count(*)::int FROM ended) AS ended FROM verdict`;
  return present(verdict);
}

/**
 * Ends messages of which not even the apology can be kept, so that the next one is answered. Writes nothing but their
 * outcome, and keeps neither words that may not stay nor calls of tools that may repeat them.
 */
export function dropMessages(database: Database, claim: Claim): Promise<void> {
  const { personId, conversationId, burst } = claim;
  return database.write({ personId, conversationId }, async (tx) => {
    if (!(await endLease(tx, claim))) return;
    await tx.$executeRaw`
      WITH dropped AS (
        UPDATE inbox SET outcome = 'dropped', outcome_reason = ${'poison' satisfies NamedReason}, ended_at = now(), text = ${wordsOfDropped}
        WHERE id = ANY(${burst.map(({ id }) => id)}) AND outcome IS NULL
        RETURNING ${losesWords} AS loses_words
      )
      DELETE FROM tool_calls
      WHERE turn_id = ${turnIdOf(conversationId, firstOf(burst).id)}::uuid
        AND EXISTS (SELECT 1 FROM dropped WHERE loses_words)`;
  });
}

/** Finds the turn if an earlier try committed it and lost the answer; null if none did. */
async function committedBefore(
  database: Database,
  conversationId: string,
  turnId: string,
): Promise<Pick<CommittedTurn, 'outboxId'> | null> {
  const [found] = await database.reader({ conversationId }).$queryRaw<{ outboxId: string | null }[]>`
    SELECT outbox.id AS "outboxId" FROM turns LEFT JOIN outbox USING (turn_id)
    WHERE turn_id = ${turnId}::uuid LIMIT 1`;
  return found ?? null;
}

/**
 * Tells whether the speaker's next message takes this turn over. It need not ask whether that was stopped: the turn's own
 * messages were, too, then.
 */
export async function isOvertaken(database: Database, { conversationId, personId, burst }: Claim) {
  const [next] = await database.reader({ conversationId }).$queryRaw<{ isToBeAnswered: boolean }[]>`
    SELECT origin = 'message' AND deleted_at IS NULL AS "isToBeAnswered" FROM inbox
    WHERE conversation_id = ${conversationId}::uuid AND person_id = ${personId}::uuid AND outcome IS NULL
      AND id > ${lastOf(burst).id}
    ORDER BY id LIMIT 1`;
  return next?.isToBeAnswered === true;
}
