import {
  DAY_MS,
  describeReason,
  type gatewayContract,
  type outreachContract,
  PassingReason,
  type PayloadOutput,
} from '@kith/contracts';
import { liesAhead, type Prisma, sql, type Sql, type Tx, type Writer } from '@kith/database';
import { MAX_RETRY_WAIT_MS } from '../decision/decide-outreach.js';
import type { EndedTurn } from './noticed-reasons.js';
import { lockSettings } from './stored-settings.js';

/** A message from outside with its time as a date. */
type Dated<Message> = Omit<Message, 'at'> & { at: Date };

/** A place where a person can't be written to any more. */
export type Refusal = Dated<PayloadOutput<typeof gatewayContract.unreachable>>;

/** An outreach that could not be delivered. */
export type UndeliveredOutreach = Dated<PayloadOutput<typeof outreachContract.endUndelivered>>;

/** Time after an outreach in which what the person says counts as an answer. */
export const ANSWER_WITHIN_MS = DAY_MS;

/** Problem of a cancelled attempt. */
export const CALLED_OFF = 'it was not allowed any more';
// Problem of a cancelled attempt whose message the gateway was told to drop.
const NOT_DELIVERED = 'it was not allowed any more when it was to be delivered';

/**
 * Cancels attempts under way. With `reopens`, their reasons are decided on again once that is allowed, or become too
 * old.
 */
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

/** Records that the message of a cancelled attempt is dropped, so that its turn does not mark it as sent. */
export async function noteUndelivered(tx: Tx, { id, personId }: { id: string; personId: string }) {
  await tx.outreachAttempt.updateMany({
    where: { id, personId, status: 'failed', problem: CALLED_OFF },
    data: { problem: NOT_DELIVERED },
  });
}

/** Most obstacles are gone by then, such as a model that restarts. */
const MIN_WAIT_MS = 10 * 60_000;

type EndedOutreach = Pick<EndedTurn, 'personId' | 'attemptId' | 'outcome' | 'reason' | 'endedAt'>;

/**
 * Marks the attempt of an ended turn as sent or failed. A cancelled one that was sent anyway counts as sent, unless the
 * gateway was told to drop it. After a temporary problem the reason is decided on again.
 */
export async function endAttempt(
  tx: Writer,
  { personId, attemptId = null, outcome, reason = null, endedAt }: EndedOutreach,
): Promise<void> {
  const isSent = outcome === 'answered';
  const passes = !isSent && PassingReason.safeParse(reason).success;
  const problem = isSent || reason === null ? null : describeReason(reason);
  const end = async () =>
    tx.$executeRaw`
      WITH ended AS (
        UPDATE outreach_attempts
        SET status = ${isSent ? 'sent' : 'failed'}, problem = ${problem},
          -- Their answer may be heard of before the outreach is.
          answered_at = (
            SELECT last_spoke_at FROM outreach_settings
            WHERE ${isSent} AND person_id = ${personId}::uuid AND last_spoke_at >= ${endedAt}
              AND last_spoke_at <= decided_at + ${ANSWER_WITHIN_MS} * interval '1 millisecond')
        WHERE id = ${attemptId}::uuid AND person_id = ${personId}::uuid
          AND (status = 'queued' OR ${isSent} AND status = 'failed' AND problem = ${CALLED_OFF})
        RETURNING intention_id
      ), closed AS (
        UPDATE intentions SET status = ${passes ? 'open' : 'done'},
          not_before = ${passes ? triedAgainAfter(endedAt) : sql`not_before`}
        FROM ended WHERE id = intention_id AND status = ${passes ? 'done' : 'open'}
      )
      UPDATE outreach_settings SET unanswered = unanswered + (SELECT count(*) FROM ended)::int
      -- Not where they have answered already.
      WHERE ${isSent} AND person_id = ${personId}::uuid
        AND (last_spoke_at IS NULL OR last_spoke_at < ${endedAt} OR ${liesAhead(sql`last_spoke_at`)})`;
  // The settings are locked before the attempt, in the order of a decision.
  await Promise.all([lockSettings(tx, personId), end()]);
}

/** Returns when a failed reason is tried again: it waits as long as it is late, within bounds. */
function triedAgainAfter(at: Date): Sql {
  const [min, max] = [MIN_WAIT_MS, MAX_RETRY_WAIT_MS].map((ms) => sql`${ms} * interval '1 millisecond'`);
  return sql`${at}::timestamptz + least(greatest(${at}::timestamptz - due_at, ${min}), ${max})`;
}

/**
 * Records that an outreach was refused, and reopens its reason. What a channel refused comes as a direct message where
 * allowed, or when the channel is open again; what closed direct messages refused, when the person can be reached.
 */
export async function failAttempt(
  tx: Tx,
  { personId, channelId, attemptId, reason, at }: Refusal & { attemptId: string },
): Promise<void> {
  const settings = await tx.outreachSetting.findUnique({ where: { personId } });
  const comesDirect = settings?.optedIn && settings.direct && settings.unreachable === null;
  const next = comesDirect ? 'it comes as a direct message' : 'direct messages are not allowed';
  const problem = channelId === null ? reason : `${reason}; ${next}`;
  const failed = await markUnsent(tx, { id: attemptId, personId, channelId }, problem);
  // Opting out drops the reasons of a person, so none is reopened.
  if (!failed || !settings?.optedIn) return;
  // Whoever speaks in a channel counts as reachable, and may have direct messages closed still.
  await reopen(tx, [failed], channelId === null ? triedAgainAfter(at) : undefined);
}

/** Records that an outreach could not be delivered. For a temporary reason it is decided on again. */
export async function endUndelivered(
  tx: Tx,
  { personId, attemptId, reason, passes, at }: UndeliveredOutreach,
): Promise<void> {
  const failed = await markUnsent(tx, { id: attemptId, personId }, reason);
  const settings = await tx.outreachSetting.findUnique({ where: { personId } });
  if (failed && passes && settings?.optedIn) await reopen(tx, [failed], triedAgainAfter(at));
}

/** Marks an attempt as failed, and no longer counts it as unanswered. Returns null where it had failed before. */
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

/** Uncounts a message that was counted as unanswered but not sent. */
export async function countAsUnsent(tx: Tx, personId: string): Promise<void> {
  await tx.outreachSetting.updateMany({
    where: { personId, unanswered: { gt: 0 } },
    data: { unanswered: { decrement: 1 } },
  });
}

/** Reopens the reasons of failed attempts, from a time on where one is given. */
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
