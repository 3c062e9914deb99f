import type { Writer } from '@kith/database';
import { CALLED_OFF } from './end-attempt.js';

/**
 * Ends a person's consent everywhere: drops every open reason, and cancels attempts that have not begun. Forgotten reasons
 * come back dropped where that is undone.
 */
export async function endConsent(tx: Writer, personId: string): Promise<void> {
  await tx.$executeRaw`
    WITH dropped AS (
      UPDATE intentions SET status = 'dropped' WHERE person_id = ${personId}::uuid AND status = 'open'
    ), sealed AS (
      UPDATE outreach_sealed_rows SET row = row || '{"status": "dropped"}'
      WHERE person_id = ${personId}::uuid AND relation = 'intentions' AND row ->> 'status' = 'open'
    ), cancelled AS (
      UPDATE outreach_attempts SET status = 'failed', problem = ${CALLED_OFF}
      WHERE person_id = ${personId}::uuid AND status = 'queued'
    )
    UPDATE outreach_settings SET opted_in = false, direct = true, channel_id = NULL, channel_problem = NULL, updated_at = now()
    WHERE person_id = ${personId}::uuid`;
}
