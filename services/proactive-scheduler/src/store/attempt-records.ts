import type { OutreachSettings, TurnOutcome } from '@kith/contracts';
import type { Database, LeftPlaces, OutreachAttemptModel, Tx, Writer } from '@kith/database';
import { tellableAttempts } from './tellable.js';
import { ensureSettings } from './stored-settings.js';

/** A decided outreach, as the gateway is asked to carry it out. */
export type QueuedAttempt = Pick<OutreachAttemptModel, 'id' | 'personId' | 'companionId' | 'channelId'>;

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

/** The turn of an outreach, as it ended. */
interface EndedOutreach {
  personId: string;
  companionId: string;
  outcome: TurnOutcome;
  reason: string | null;
  endedAt: Date;
}

// Clocks of two machines differ: a turn may seem to end a little before it was decided on.
const CLOCK_SKEW_MS = 60_000;

/** Decided outreach in Postgres, and what becomes of it. Each method is one transaction. */
export class AttemptRecords {
  constructor(
    private readonly database: Database,
    private readonly left: Pick<LeftPlaces, 'read'>,
    /** Settings of a person who has said nothing about them. */
    private readonly defaults: OutreachSettings,
  ) {}

  /** Lists decided outreach, the newest first, from after `cursor` on. */
  list(personId: string, limit: number, cursor?: string): Promise<OutreachAttemptModel[]> {
    return this.database.asPerson(personId, async (tx) =>
      tx.outreachAttempt.findMany({
        where: { personId, ...(await tellableAttempts(tx, this.left, personId)) },
        orderBy: [{ decidedAt: 'desc' }, { id: 'desc' }],
        take: limit,
        ...(cursor === undefined ? {} : { cursor: { id: cursor }, skip: 1 }),
      }),
    );
  }

  /** Returns the reason of an attempt; null for one that was begun, dropped, erased or is held back since. */
  async reasonOf(personId: string, attemptId: string): Promise<string | null> {
    const attempt = await this.database.asPerson(personId, async (tx) =>
      tx.outreachAttempt.findFirst({
        where: {
          ...{ id: attemptId, personId, status: 'queued' },
          ...(await tellableAttempts(tx, this.left, personId)),
        },
      }),
    );
    return attempt?.reason ?? null;
  }

  /** Attempts nobody has heard of since `decidedBefore`: the process may have ended before it asked the gateway. */
  stale(decidedBefore: Date): Promise<QueuedAttempt[]> {
    return this.database.read(
      'system',
      (reader) => reader.$queryRaw<QueuedAttempt[]>`
        SELECT id, person_id AS "personId", companion_id AS "companionId", channel_id AS "channelId"
        FROM outreach_attempts WHERE status = 'queued' AND decided_at < ${decidedBefore}`,
    );
  }

  /** Gives up attempts that are still under way after so long. Answers how many. */
  giveUp(decidedBefore: Date): Promise<number> {
    return this.database.write(
      'system',
      (tx) => tx.$executeRaw`
        UPDATE outreach_attempts SET status = 'failed', problem = 'nothing was heard of it for hours'
        WHERE status = 'queued' AND decided_at < ${decidedBefore}`,
    );
  }

  /**
   * No door reaches the person, or not in their channel, until they speak: unless they have spoken since. What could
   * not be said in a channel is open again, for the place that is left.
   */
  async markUnreachable({ personId, channelId, attemptId, reason, at }: Refusal): Promise<void> {
    await this.database.asPerson(personId, async (tx) => {
      await ensureSettings(tx, personId, this.defaults);
      const isFresh = { OR: [{ lastSpokeAt: null }, { lastSpokeAt: { lt: at } }] };
      await (channelId === null
        ? tx.outreachSetting.updateMany({ where: { personId, ...isFresh }, data: { unreachable: reason } })
        : tx.outreachSetting.updateMany({
            where: { personId, channelId },
            data: { channelProblem: reason },
          }));
      if (attemptId !== null) await failAttempt(tx, { personId, channelId, attemptId, reason });
    });
  }
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
async function failAttempt(
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
