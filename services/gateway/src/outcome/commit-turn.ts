import { toJsonb, uuid7, type Database, type Writer } from '@kith/database';
import { transcriptOf, type FinishedTurn } from '../answer/finished-turn.js';
import { TurnInterrupted } from '../signals/interruptions.js';
import { endLease } from '../inbox/lease.js';
import type { Claim } from '../inbox/claim.js';
import { insertStep } from '../steps/step-log.js';

/** Turn that was committed. */
export interface CommittedTurn {
  /** The outbox row, where the door must be called. */
  outboxId: string | null;
  /** More came in meanwhile: whoever looked for the lease in that time went away again. */
  more: boolean;
}

/**
 * Commits an outcome in one transaction: transcript, turn, outbox, usage and the inbox rows' outcome, with the lease
 * given back. May be repeated: it answers what an earlier try committed then.
 * @param mayBeOvertaken a newer message of the speaker takes this turn over, rather than be the next one
 * @throws TurnInterrupted when the lease went to another worker meanwhile, a message of the burst was changed or
 *   stopped, or a newer one overtook it: nothing is written then
 */
export function commitTurn(
  database: Database,
  claim: Claim,
  turn: FinishedTurn,
  mayBeOvertaken: boolean,
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
      ]),
    );
    return { outboxId, more: open };
  });
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

interface Ended {
  /** Rows that were still as they were claimed, and have their outcome now. */
  ended: number;
  stopped: boolean;
  /** Another message of the speaker waits. */
  open: boolean;
  /** The next one is to be answered, too. */
  newer: boolean;
}

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
    ), waiting AS (
      SELECT id, origin, deleted_at, stopped_at FROM inbox
      WHERE conversation_id = ${conversationId}::uuid AND person_id = ${personId}::uuid AND outcome IS NULL
    )
    SELECT (SELECT count(*)::int FROM ended) AS ended,
      EXISTS (SELECT 1 FROM waiting WHERE id = ANY(${ids}::bigint[]) AND stopped_at IS NOT NULL) AS stopped,
      EXISTS (SELECT 1 FROM waiting WHERE id <> ALL(${ids}::bigint[])) AS open,
      coalesce((
        SELECT origin = 'message' AND deleted_at IS NULL AND stopped_at IS NULL
        FROM waiting WHERE id > ${ids.at(-1)!} ORDER BY id LIMIT 1
      ), false) AS newer`;
  return result!;
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
        AND id > ${burst.at(-1)!.id}
      ORDER BY id LIMIT 1`;
    return next?.isToBeAnswered === true;
  });
}

/**
 * Writes all that a turn leaves behind, in one statement. Returns the outbox row's id. The transcript is written under
 * the lock of the conversation's row: turns that end side by side keep their lines together. A reply that was written
 * with lines or memories which were forgotten or changed meanwhile is told no more, and its trace keeps none of them.
 */
async function saveTurn(tx: Writer, claim: Claim, turn: FinishedTurn): Promise<string | null> {
  const { conversationId, personId, companionId } = claim;
  const first = claim.burst[0]!;
  const last = claim.burst.at(-1)!;
  const trace = toJsonb({ recalled: turn.recalled, mood: turn.mood, ...turn.details });
  const lines = transcriptOf(claim, turn);
  const { usage } = turn;
  const target = turn.reply === null || last.target === null ? null : JSON.stringify(last.target);
  const outboxId = uuid7();
  const times = [...claim.burst.map(({ sentAt }) => sentAt), turn.startedAt];
  await tx.$executeRaw`
    WITH place AS (
      UPDATE conversations
      SET last_message_at = greatest(coalesce(last_message_at, ${last.sentAt}), ${last.sentAt})
      WHERE conversation_id = ${conversationId}::uuid
      RETURNING conversation_id, retold = ${claim.retold} AS is_current
    ), privacy AS MATERIALIZED (
      SELECT place.*, kith_private(${personId}::uuid, ${times}::timestamptz[]) AS state FROM place
    ), turn AS (
      INSERT INTO turns (turn_id, conversation_id, person_id, companion_id, door, audience, origin, outcome,
        reason, model, rehearsal, degraded, trace, started_at, ended_at)
      SELECT ${turn.turnId}::uuid, conversation_id, ${personId}::uuid, ${companionId}, ${first.door},
        ${claim.audience}, ${first.origin}, ${turn.outcome}, ${turn.reason}, ${turn.model}, ${turn.rehearsal},
        ${turn.degraded}, CASE WHEN is_current THEN ${trace}::jsonb ELSE ${trace}::jsonb - 'recalled' - 'alsoShown' END,
        ${turn.startedAt}::timestamptz, ${turn.endedAt}::timestamptz
      FROM place
    ), said AS (
      INSERT INTO transcript (conversation_id, turn_id, person_id, role, name, external_id, text, at, withheld)
      SELECT conversation_id, ${turn.turnId}::uuid, ${personId}::uuid, role, name, external_id,
        CASE WHEN state = 'over' OR is_outdated THEN '' ELSE text END, at,
        CASE WHEN is_outdated THEN 'forgotten' WHEN state IS NOT NULL THEN 'private' END
      FROM privacy, jsonb_to_recordset(${toJsonb(lines)}::jsonb)
          AS line (role text, name text, external_id text, text text, at timestamptz),
        LATERAL (SELECT role = 'companion' AND NOT is_current AS is_outdated)
    ), used AS (
      INSERT INTO usage (id, turn_id, conversation_id, person_id, companion_id, model, prompt_tokens,
        completion_tokens)
      SELECT ${uuid7()}::uuid, ${turn.turnId}::uuid, ${conversationId}::uuid, ${personId}::uuid,
        ${companionId}, ${usage?.model ?? ''}, ${usage?.promptTokens ?? 0}, ${usage?.completionTokens ?? 0}
      WHERE ${usage !== null}
    )
    INSERT INTO outbox (id, turn_id, conversation_id, person_id, door, target, text, platform_ids)
    SELECT ${outboxId}::uuid, ${turn.turnId}::uuid, ${conversationId}::uuid, ${personId}::uuid, ${last.door},
      ${target}::jsonb, ${turn.reply ?? ''}, ARRAY[]::text[]
    WHERE ${target !== null}`;
  return target === null ? null : outboxId;
}
