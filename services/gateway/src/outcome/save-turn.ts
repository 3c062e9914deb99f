import { firstOf, lastOf } from '@kith/contracts';
import { sql, toJsonb, uuid7, type Sql, type Writer } from '@kith/database';
import { transcriptOf, type FinishedTurn } from '../answer/finished-turn.js';
import type { Claim } from '../inbox/claim.js';
import { isCurrent } from '../inbox/lost-words.js';

/**
 * Writes all that a turn leaves behind, in one statement. Returns the outbox row's id. The transcript is written under
 * the lock of the conversation's row: turns that end side by side keep their lines together. A reply that was written
 * with lines or memories which were forgotten or changed meanwhile is told no more, and neither its trace nor its calls
 * of tools are kept; no calls are kept of private talk that is over either. A question that waits stays where somebody
 * else forgot or changed something: it arrives with the reply, and its person is to be able to answer it. A line that was
 * forgotten before its turn ended is sealed for an undo and written without words.
 * @param where a condition without which nothing is written
 */
export async function saveTurn(tx: Writer, claim: Claim, turn: FinishedTurn, where: Sql) {
  const { conversationId, personId, companionId } = claim;
  const first = firstOf(claim.burst);
  const last = lastOf(claim.burst);
  const trace = toJsonb({ recalled: turn.recalled, mood: turn.mood, ...turn.details });
  const lines = transcriptOf(claim, turn);
  const target = turn.reply === null || last.target === null ? null : JSON.stringify(last.target);
  const outboxId = uuid7();
  const times = [...claim.burst.map(({ sentAt }) => sentAt), turn.startedAt];
  await tx.$executeRaw`
    WITH place AS (
      UPDATE conversations
      SET last_message_at = greatest(coalesce(last_message_at, ${last.sentAt}), ${last.sentAt})
      WHERE conversation_id = ${conversationId}::uuid AND ${where}
      RETURNING conversation_id, ${isCurrent(claim)} AS is_current
    ), named AS MATERIALIZED (
      SELECT inbox.id, external_id, forgotten_by, undo_until FROM place
      JOIN inbox ON inbox.id = ANY (${claim.burst.map(({ id }) => id)}::bigint[]) AND forgotten_by IS NOT NULL
      LEFT JOIN forget_orders ON forget_orders.id = forgotten_by
    ), line AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${toJsonb(lines)}::jsonb)
        AS line (role text, name text, external_id text, text text, at timestamptz)
    ), privacy AS MATERIALIZED (
      SELECT place.*, kith_private(${personId}::uuid, ${times}::timestamptz[]) AS state FROM place
    ), turn AS (
      INSERT INTO turns (turn_id, conversation_id, person_id, companion_id, door, audience, origin, outcome,
        reason, model, rehearsal, degraded, trace, started_at, ended_at)
      SELECT ${turn.turnId}::uuid, conversation_id, ${personId}::uuid, ${companionId}, ${first.door},
        ${claim.audience}, ${first.origin}, ${turn.outcome}, ${turn.reason}, ${turn.model}, ${turn.rehearsal},
        ${turn.degraded}, ${trace}::jsonb - CASE WHEN is_current THEN '{}' ELSE '{recalled,alsoShown}'::text[] END,
        ${turn.startedAt}::timestamptz, ${turn.endedAt}::timestamptz
      FROM place
    ), said AS (
      INSERT INTO transcript (conversation_id, turn_id, person_id, role, name, external_id, text, at, withheld)
      SELECT conversation_id, ${turn.turnId}::uuid, ${personId}::uuid, role, name, external_id,
        CASE WHEN state = 'over' OR is_gone THEN '' ELSE text END, at,
        CASE WHEN is_gone THEN 'forgotten' WHEN state IS NOT NULL THEN 'private' END
      FROM privacy, line,
        LATERAL (SELECT CASE role WHEN 'companion' THEN NOT is_current
          ELSE external_id IN (SELECT external_id FROM named) END AS is_gone)
      RETURNING id, external_id
    ), sealed AS (
      INSERT INTO sealed_lines (order_id, line_id, person_id, text, until)
      SELECT forgotten_by, said.id, ${personId}::uuid, line.text, undo_until
      FROM privacy, named JOIN said USING (external_id) JOIN line USING (external_id)
      WHERE state IS NULL AND undo_until > now()
    ), cleared AS (
      UPDATE inbox SET text = '' FROM privacy
      WHERE inbox.id = ANY (${claim.burst.map(({ id }) => id)}::bigint[])
        AND (state = 'over' OR inbox.id IN (SELECT id FROM named))
    ), called AS (
      DELETE FROM tool_calls USING privacy
      WHERE turn_id = ${turn.turnId}::uuid AND (state = 'over' OR EXISTS (SELECT 1 FROM named)
        OR NOT is_current AND (status <> 'waiting' OR ${hasForgottenSince(claim)}))
    )
    INSERT INTO outbox (id, turn_id, conversation_id, person_id, door, target, text, platform_ids)
    SELECT ${outboxId}::uuid, ${turn.turnId}::uuid, conversation_id, ${personId}::uuid, ${last.door},
      ${target}::jsonb, ${turn.reply ?? ''}, ARRAY[]::text[]
    FROM place WHERE ${target !== null}`;
  return target === null ? null : outboxId;
}

/**
 * SQL that tells whether an order of the person's own to forget was carried out in the time of a claim, or is not carried
 * out yet: what the turn asks may hold its words.
 */
function hasForgottenSince({ personId, claimedAt }: Claim): Sql {
  return sql`EXISTS (
    SELECT 1 FROM forget_orders WHERE person_id = ${personId}::uuid AND reason <> 'undelivered'
      AND coalesce(finished_at, 'infinity') >= ${claimedAt})`;
}
