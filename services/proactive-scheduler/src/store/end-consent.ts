import { liesAhead, sql, type Writer } from '@kith/database';
import { CALLED_OFF } from './end-attempt.js';

/**
 * Ends a person's consent everywhere: drops every open reason, and cancels attempts that have not begun. Forgotten reasons
 * come back dropped where that is undone.
 * @param saidAt when they said so in a talk, which may be read late or once more: consent and reasons given since stay
 */
export async function endConsent(tx: Writer, personId: string, saidAt: Date | null = null): Promise<void> {
  const isOlder = sql`(${saidAt}::timestamptz IS NULL OR NOT opted_in OR opted_in_at IS NULL
    OR opted_in_at < ${saidAt} OR ${liesAhead(sql`opted_in_at`)})`;
  const isOfThen = sql`(${saidAt}::timestamptz IS NULL OR created_at <= ${saidAt})`;
  await tx.$executeRaw`
    WITH ended AS (
      UPDATE outreach_settings SET opted_in = false, direct = true, channel_id = NULL, channel_problem = NULL,
        updated_at = now()
      WHERE person_id = ${personId}::uuid AND ${isOlder} RETURNING person_id
    ), dropped AS (
      UPDATE intentions SET status = 'dropped' FROM ended
      WHERE intentions.person_id = ended.person_id AND status = 'open' AND ${isOfThen}
    ), sealed AS (
      UPDATE outreach_sealed_rows SET row = row || '{"status": "dropped"}' FROM ended
      WHERE outreach_sealed_rows.person_id = ended.person_id AND relation = 'intentions' AND row ->> 'status' = 'open'
    )
    UPDATE outreach_attempts SET status = 'failed', problem = ${CALLED_OFF} FROM ended
    WHERE outreach_attempts.person_id = ended.person_id AND status = 'queued'`;
}
