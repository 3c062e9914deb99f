import { type Audience, HOUR_MS, PassingReason, type TurnOutcome } from '@kith/contracts';
import { type Prisma, sql, type Sql, type Tx, type Writer } from '@kith/database';
import { channelOf } from '../decision/choose-place.js';

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

/** An outreach that was given up, and of which nothing has arrived. */
export interface UndeliveredOutreach {
  personId: string;
  attemptId: string;
  reason: string;
  /** True where it failed because of something that passes. */
  passes: boolean;
  at: Date;
}

// Clocks of two machines differ: a turn may seem to end a little before it was decided on.
export const CLOCK_SKEW_MS = 60_000;
/** The job's own retries are over long before; an attempt that the gateway is not at then will not come any more. */
export const GIVEN_UP_AFTER_MS = 6 * HOUR_MS;

// The problem of an attempt that was called off.
const CALLED_OFF = 'it was not allowed any more';
// The problem of one that was called off and did not arrive, as the gateway was told to drop its message.
const NOT_DELIVERED = 'it was not allowed any more when it was to be delivered';

/** Calls off attempts under way. What `reopens` is decided on anew, when it is allowed again or gets too old. */
export async function callOff(
  tx: Tx,
  which: Prisma.OutreachAttemptWhereInput,
  { reopens, problem = CALLED_OFF }: { reopens: boolean; problem?: string },
): Promise<void> {
  const ended = await tx.outreachAttempt.updateManyAndReturn({
    where: { status: 'queued', ...which },
    data: { status: 'failed', problem },
    select: { intentionId: true },
  });
  if (reopens) await reopen(tx, ended);
}

/** Notes that the message of an attempt that was called off is dropped: its turn, once heard of, does not make it sent. */
export async function noteUndelivered(
  tx: Tx,
  { id, personId }: { id: string; personId: string },
): Promise<void> {
  await tx.outreachAttempt.updateMany({
    where: { id, personId, status: 'failed', problem: CALLED_OFF },
    data: { problem: NOT_DELIVERED },
  });
}

/** Problems that pass, in words for the person. What was to be said is decided on anew. */
const PASSING: Readonly<Record<PassingReason, string>> = {
  unasked: 'nobody could tell whether it was still allowed',
  paused: 'it was paused',
  'stale-outreach': 'it waited too long for its turn',
  budget: 'the tokens of the day were used up',
  'person-budget': 'your tokens of the day were used up',
  'no-model': 'no model answered',
};
/** An obstacle is mostly gone by then, as a model that starts again. */
const MIN_WAIT_MS = 10 * 60_000;
/** A few tries a day until it is too late for it: each may cost a turn, and is shown to the person. */
const MAX_WAIT_MS = 4 * HOUR_MS;

/** The turn of an outreach, as it ended. */
export interface EndedOutreach {
  personId: string;
  companionId: string;
  outcome: TurnOutcome;
  /** The reason of its outcome, where that is not plain. */
  reason: string | null;
  audience: Audience;
  endedAt: Date;
}

/**
 * Ends the attempt under way whose turn has ended, as sent or failed. An attempt is for a place, and so is a turn: when
 * Discord refuses one in a channel, the next, a direct message, may be under way before the first one's turn is heard of.
 * Where none is under way, the gateway was carrying out one that was called off meanwhile: if it was sent, it counts, and
 * its reason is done. It was not where the gateway was told to drop it. What was not said because of something that passes
 * is decided on anew.
 */
export async function endAttempt(
  tx: Writer,
  { personId, companionId, outcome, reason, audience, endedAt }: EndedOutreach,
): Promise<void> {
  const isSent = outcome === 'answered';
  const passing = isSent ? undefined : PassingReason.safeParse(reason).data;
  const problem = passing ? PASSING[passing] : (reason ?? outcome);
  await tx.$executeRaw`
    WITH ended AS (
      UPDATE outreach_attempts
      SET status = ${isSent ? 'sent' : 'failed'}, problem = ${isSent ? null : problem}
      WHERE id = (
        SELECT id FROM outreach_attempts
        WHERE person_id = ${personId}::uuid AND companion_id = ${companionId}
          AND channel_id IS NOT DISTINCT FROM ${channelOf(audience)}
          AND (status = 'queued' OR ${isSent} AND status = 'failed' AND problem = ${CALLED_OFF}
            AND decided_at > ${new Date(endedAt.getTime() - GIVEN_UP_AFTER_MS)})
          AND decided_at <= ${new Date(endedAt.getTime() + CLOCK_SKEW_MS)}
        ORDER BY status = 'queued' DESC, decided_at DESC LIMIT 1
      )
      RETURNING intention_id
    ), closed AS (
      UPDATE intentions SET status = ${passing ? 'open' : 'done'},
        not_before = ${passing ? triedAgainAfter(endedAt) : sql`not_before`}
      FROM ended WHERE id = intention_id AND status = ${passing ? 'done' : 'open'}
    )
    UPDATE outreach_settings SET unanswered = unanswered + (SELECT count(*) FROM ended)::int
    -- Unless their answer was heard of first.
    WHERE ${isSent} AND person_id = ${personId}::uuid AND (last_spoke_at IS NULL OR last_spoke_at < ${endedAt})`;
}

/** Returns when a reason is tried again that came to nothing: it waits as long again as it is late, within bounds. */
function triedAgainAfter(at: Date): Sql {
  const [min, max] = [MIN_WAIT_MS, MAX_WAIT_MS].map((ms) => sql`${ms} * interval '1 millisecond'`);
  return sql`${at}::timestamptz + least(greatest(${at}::timestamptz - due_at, ${min}), ${max})`;
}

/**
 * Notes that an outreach was refused. The reason of one that a channel refused is open again: it comes as a direct message
 * where it can, or waits until the channel is open again.
 */
export async function failAttempt(
  tx: Tx,
  { personId, channelId, attemptId, reason }: Omit<Refusal, 'at' | 'attemptId'> & { attemptId: string },
): Promise<void> {
  const settings = await tx.outreachSetting.findUnique({ where: { personId } });
  const comesDirect = settings?.optedIn && settings.direct && settings.unreachable === null;
  const next = comesDirect ? 'it comes as a direct message' : 'direct messages are not allowed';
  const problem = channelId === null ? reason : `${next}: ${reason}`;
  const failed = await markUnsent(tx, { id: attemptId, personId, channelId }, problem);
  // Whoever opted out dropped their reasons.
  if (failed && channelId !== null && settings?.optedIn) await reopen(tx, [failed]);
}

/** Notes that an outreach was given up undelivered. Where that passes, its reason is decided on anew. */
export async function endUndelivered(
  tx: Tx,
  { personId, attemptId, reason, passes, at }: UndeliveredOutreach,
): Promise<void> {
  const failed = await markUnsent(tx, { id: attemptId, personId }, reason);
  const settings = await tx.outreachSetting.findUnique({ where: { personId } });
  if (failed && passes && settings?.optedIn) await reopen(tx, [failed], triedAgainAfter(at));
}

/** Marks an attempt as failed, and takes it off those without an answer. Returns null where it had failed before. */
async function markUnsent(
  tx: Tx,
  which: { id: string; personId: string; channelId?: string | null },
  problem: string,
): Promise<{ intentionId: string | null } | null> {
  const attempt = await tx.outreachAttempt.findFirst({ where: { ...which, status: { not: 'failed' } } });
  if (!attempt) return null;
  await tx.outreachAttempt.update({ where: { id: which.id }, data: { status: 'failed', problem } });
  if (attempt.status === 'sent') await countAsUnsent(tx, which.personId);
  return attempt;
}

/** Takes a message that was counted as sent, and was not, off those that are left without an answer. */
export async function countAsUnsent(tx: Tx, personId: string): Promise<void> {
  await tx.outreachSetting.updateMany({
    where: { personId, unanswered: { gt: 0 } },
    data: { unanswered: { decrement: 1 } },
  });
}

/** Opens once more the reasons of attempts that came to nothing, to be tried again at once, or not before a time. */
async function reopen(
  tx: Tx,
  attempts: readonly { intentionId: string | null }[],
  notBefore = sql`not_before`,
): Promise<void> {
  const ids = attempts.flatMap(({ intentionId }) => intentionId ?? []);
  await tx.$executeRaw`
    UPDATE intentions SET status = 'open', not_before = ${notBefore}
    WHERE id = ANY (${ids}::uuid[]) AND status = 'done'`;
}
