import type { TurnOutcome } from '@kith/contracts';
import type { Tx, Writer } from '@kith/database';

/** A place where a person can't be written to any more. */
export interface Refusal {
  personId: string;
  /** The channel; null for their direct messages. */
  channelId: string | null;
  /** The outreach that did not arrive; null when it was a reply. */
  attemptId: string | null;
  reason: string;
  at: Date;
}

// Clocks of two machines differ: a turn may seem to end a little before it was decided on.
export const CLOCK_SKEW_MS = 60_000;

/** The turn of an outreach, as it ended. */
interface EndedOutreach {
  personId: string;
  companionId: string;
  outcome: TurnOutcome;
  reason: string | null;
  endedAt: Date;
}

/** Ends the attempt under way whose turn has ended: sent, or failed. */
export async function endAttempt(
  tx: Writer,
  { personId, companionId, outcome, reason, endedAt }: EndedOutreach,
): Promise<void> {
  const isSent = outcome === 'answered';
  await tx.$executeRaw`
    WITH ended AS (
      UPDATE outreach_attempts
      SET status = ${isSent ? 'sent' : 'failed'}, problem = coalesce(${isSent ? null : (reason ?? outcome)}, problem)
      WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} AND status = 'queued'
        AND decided_at <= ${new Date(endedAt.getTime() + CLOCK_SKEW_MS)}
      RETURNING 1
    )
    UPDATE outreach_settings SET unanswered = unanswered + (SELECT count(*) FROM ended)::int
    -- Unless their answer was heard of first.
    WHERE ${isSent} AND person_id = ${personId}::uuid AND (last_spoke_at IS NULL OR last_spoke_at < ${endedAt})`;
}

/** An outreach did not arrive. Its reason is open again where direct messages are left to say it. */
export async function failAttempt(
  tx: Tx,
  { personId, channelId, attemptId, reason }: Omit<Refusal, 'at' | 'attemptId'> & { attemptId: string },
): Promise<void> {
  const where = { id: attemptId, personId, channelId };
  const attempt = await tx.outreachAttempt.findFirst({ where: { ...where, status: { not: 'failed' } } });
  if (!attempt) return;
  const settings = await tx.outreachSetting.findUnique({ where: { personId } });
  const isTriedAgain =
    channelId !== null && settings?.optedIn && settings.direct && settings.unreachable === null;
  const next = isTriedAgain ? 'it comes as a direct message' : 'direct messages are not allowed';
  const problem = channelId === null ? reason : `${next}: ${reason}`;
  await tx.outreachAttempt.update({ where: { id: attemptId }, data: { status: 'failed', problem } });
  if (attempt.status === 'sent') {
    await tx.outreachSetting.updateMany({
      where: { personId, unanswered: { gt: 0 } },
      data: { unanswered: { decrement: 1 } },
    });
  }
  if (isTriedAgain && attempt.intentionId !== null) {
    await tx.intention.updateMany({
      where: { id: attempt.intentionId, status: 'done' },
      data: { status: 'open' },
    });
  }
}
