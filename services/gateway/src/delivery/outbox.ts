import {
  DiscordTarget,
  gatewayContract,
  outreachContract,
  type RequestOutput,
  type ResponseInput,
  isUnavailable,
} from '@kith/contracts';
import { sql, type Database, type OutboxMessageModel, type Sql, type Tx } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import { noteDelivered, saidInTheEnd } from '../redaction/undelivered-reply.js';
import { withoutWithdrawn } from '../safety/question-text.js';
import {
  givenUpBy,
  isTriedOften,
  waitBehind,
  deliveryOutcome,
  saidBy,
  waitAfter,
} from './delivery-outcome.js';
import { whatIsUnderWay } from './is-busy.js';
import { outreachOf, tellLost } from './lost-delivery.js';

type ClaimAnswer = ResponseInput<typeof gatewayContract.claimDelivery>;
type NextTry = ResponseInput<typeof gatewayContract.noteDelivery>;

/** Time for which an undelivered reply holds up later ones to the same person: longer than an outage of Discord. */
const KEEP_ORDER_MS = 15 * 60_000;
/** Wait before the scheduler is asked again: it is back within seconds of a restart. */
const ASK_AGAIN_MS = 2_000;

/** Other replies whose messages a door is told of: it searches as many messages for its own, from its first try on. */
const MAX_OTHERS = 500;

/** Outreach that waits until the scheduler allows it. */
interface HeldOutreach {
  kind: 'held';
  outreach: { personId: string; attemptId: string; writtenAt: string; isForgotten: boolean };
  /** Times it was tried. */
  attempts: number;
}

/** Error of a reply none of whose tries has noted a result. */
const NO_END = 'no try came to an end';
/** End of outreach that the scheduler has called off. */
const CALLED_OFF = sql`status = 'dropped', last_error = 'outreach is not allowed any more'`;
/** Verdict on a reply whose tries are used up. */
const USED_UP = { kind: 'used-up' } as const;

/** Facts about a reply that its row does not hold. */
interface ReplyFacts {
  /** Its door has searched the place, and no part of it is there. */
  isAbsent: boolean;
  /** The scheduler would still send it. */
  isAllowed: boolean;
}

/** Replies on their way to a door that must be called. */
export class Outbox {
  constructor(
    private readonly database: Database,
    private readonly messenger: Messenger,
  ) {}

  /**
   * Hands out a reply to be sent, if it is its turn, and counts the try. Drops outreach that the scheduler no longer allows:
   * consent may have been withdrawn. Outreach that was tried before is handed out to be searched for first, because it may
   * have arrived. A reply whose words were forgotten meanwhile is handed out to be deleted.
   * @param isAbsent the door has searched the place, and no part of it is there; continues the same try
   */
  async claim(outboxId: string, now: Date, isAbsent = false): Promise<ClaimAnswer> {
    const claimed = await this.tryClaim(outboxId, now, { isAbsent, isAllowed: false });
    if (claimed.kind === 'used-up') return this.giveUp(outboxId, now);
    if (claimed.kind !== 'held') return claimed;
    try {
      const { personId, attemptId } = claimed.outreach;
      const asked = { ...claimed.outreach, ...(await whatIsUnderWay(this.database, personId, attemptId)) };
      const { allowed } = await this.messenger.ask(outreachContract.mayArrive, asked);
      const again =
        allowed || claimed.outreach.isForgotten
          ? await this.tryClaim(outboxId, now, { isAbsent, isAllowed: true })
          : await this.settle(outboxId, CALLED_OFF, now);
      if (again.kind === 'used-up') return await this.giveUp(outboxId, now);
      if (again.kind !== 'held') return again;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (isTriedOften(claimed.attempts)) await this.giveBackTry(outboxId);
    }
    return { kind: 'not-yet', retryAfterMs: Math.max(ASK_AGAIN_MS, waitAfter(claimed.attempts)) };
  }

  /** Takes back the last try, which only looked for the reply: it waits for as long as the scheduler is away. */
  private async giveBackTry(outboxId: string): Promise<void> {
    await this.database.asSystem((tx) =>
      tx.outboxMessage.updateMany({
        where: { id: outboxId, status: 'pending' },
        data: { attempts: { decrement: 1 } },
      }),
    );
  }

  private async giveUp(outboxId: string, now: Date): Promise<ClaimAnswer> {
    // It does not pass: a try without a result may have sent it.
    const endOf = ({ lastError }: OutboxMessageModel) => ({ reason: lastError ?? NO_END });
    await tellLost(this.database, this.messenger, outboxId, endOf, now);
    return this.settle(outboxId, sql`status = 'failed', last_error = coalesce(last_error, ${NO_END})`, now);
  }

  /** Ends a reply that is still to be delivered. */
  private async settle(outboxId: string, end: Sql, now: Date): Promise<ClaimAnswer> {
    await this.database.asSystem(async (tx) => {
      const [row] = await tx.$queryRaw<{ turnId: string; isArrived: boolean }[]>`
        UPDATE outbox SET ${end}, settled_at = ${now} WHERE id = ${outboxId}::uuid AND status = 'pending'
        RETURNING turn_id AS "turnId", cardinality(platform_ids) > 0 AS "isArrived"`;
      if (row) await noteDelivered(tx, row.turnId, row.isArrived ? 'all' : 'nothing');
    });
    return { kind: 'settled' };
  }

  private tryClaim(outboxId: string, now: Date, { isAbsent, isAllowed }: ReplyFacts) {
    return this.database.asSystem(async (tx): Promise<ClaimAnswer | HeldOutreach | typeof USED_UP> => {
      const row = await pendingRow(tx, outboxId);
      if (!row) return { kind: 'settled' };
      const outreach = isAllowed ? null : await openOutreach(tx, row);
      const isForgotten = row.forgottenAt !== null;
      const isInDoubt = outreach !== null && row.firstTriedAt !== null && !isAbsent && !isForgotten;
      if (outreach && !isInDoubt) return { kind: 'held', outreach, attempts: row.attempts };
      const earlier = await earlierReply(tx, row, now);
      if (earlier && !isForgotten) return { kind: 'not-yet', retryAfterMs: waitBehind(earlier.attempts) };
      if (isTriedOften(row.attempts) && !isAbsent) return USED_UP;
      const firstTriedAt = row.firstTriedAt ?? now;
      const asked = await questionsOf(tx, row.turnId);
      const { attempts } = await tx.outboxMessage.update({
        where: { id: outboxId },
        data: { attempts: { increment: isAbsent ? 0 : 1 }, firstTriedAt },
        select: { attempts: true },
      });
      return {
        kind: 'claimed',
        outboxId,
        turnId: row.turnId,
        personId: row.personId,
        target: DiscordTarget.parse(row.target),
        text: withoutWithdrawn(
          row.text,
          asked.map(({ tool }) => tool),
        ),
        questions: asked
          .filter(({ status, expiresAt }) => status === 'waiting' && expiresAt > now)
          .map(({ id, tool }) => ({ id, tool })),
        // An operator may have its tries counted anew: what those before left is still searched for.
        attempt: row.firstTriedAt === null ? attempts : Math.max(attempts, 2),
        firstTriedAt: firstTriedAt.toISOString(),
        sent: row.platformIds,
        othersSent: row.firstTriedAt === null ? [] : await othersSent(tx, row),
        isInDoubt,
        isForgotten,
      };
    });
  }

  /** Notes the chunks of a reply that have arrived so far. */
  async noteSent({ outboxId, sent }: RequestOutput<typeof gatewayContract.noteSent>): Promise<void> {
    await this.database.asSystem((tx) =>
      tx.outboxMessage.updateMany({
        where: { id: outboxId, status: 'pending' },
        data: { platformIds: { set: sent } },
      }),
    );
  }

  /**
   * Notes the result of a try and returns when the next is due. Tells other services if it was the last. A reply dropped
   * while its door was sending it has arrived all the same; the scheduler does not count such an outreach, as it
   * was told of its end. One that was forgotten meanwhile is due at once: its door deletes what arrived of it.
   */
  async noteResult(
    { outboxId, result }: RequestOutput<typeof gatewayContract.noteDelivery>,
    now: Date,
  ): Promise<NextTry> {
    const endOf = ({ attempts }: OutboxMessageModel) => givenUpBy(result, attempts, now);
    await tellLost(this.database, this.messenger, outboxId, endOf, now);
    return this.database.asSystem(async (tx) => {
      // An order to forget either marks the reply before this read, or finds that it has arrived.
      const row = await lockedRow(tx, outboxId);
      if (!row || (await isTakenBack(tx, row))) return { retryAfterMs: null, isGone: true };
      const isLate = row.status === 'dropped' && result.kind === 'delivered';
      if (row.status !== 'pending' && !isLate) return { retryAfterMs: null };
      const { retryAfterMs, platformIds, ...ended } = deliveryOutcome(
        result,
        row.attempts,
        now,
        row.forgottenAt !== null,
      );
      const data = { ...ended, ...(platformIds && { platformIds: { set: platformIds } }) };
      await tx.outboxMessage.update({ where: { id: outboxId }, data });
      if (ended.status === undefined) return { retryAfterMs };
      const isRest = ended.status === 'delivered' && row.platformIds.length > 0;
      const said = isRest ? await saidInTheEnd(tx, row) : saidBy(result, platformIds ?? row.platformIds);
      await noteDelivered(tx, row.turnId, said);
      return { retryAfterMs };
    });
  }
}

/** Reply that is still to be delivered. */
interface PendingRow extends Omit<OutboxMessageModel, 'door' | 'status' | 'lastError' | 'settledAt'> {
  /** The companion began its turn. */
  isOutreach: boolean | null;
}

/** Reply of which a result is noted. */
type LockedRow = Pick<
  OutboxMessageModel,
  'turnId' | 'personId' | 'text' | 'status' | 'attempts' | 'platformIds' | 'forgottenAt'
>;

/** Reads a reply and locks it. */
async function lockedRow(tx: Tx, outboxId: string): Promise<LockedRow | undefined> {
  const [row] = await tx.$queryRaw<LockedRow[]>`
    SELECT turn_id AS "turnId", person_id AS "personId", text, status, attempts,
      coalesce(platform_ids, '{}') AS "platformIds", forgotten_at AS "forgottenAt"
    FROM outbox WHERE id = ${outboxId}::uuid FOR UPDATE`;
  return row;
}

/** Tells whether a reply ended because it was forgotten, or its person erased: the rows of theirs go soon after that. */
async function isTakenBack(tx: Tx, { status, forgottenAt, personId }: LockedRow): Promise<boolean> {
  if (status !== 'dropped') return false;
  return forgottenAt !== null || (await tx.erasure.findUnique({ where: { erasedId: personId } })) !== null;
}

/** Finds a reply that is still to be delivered; null for any other. */
async function pendingRow(tx: Tx, outboxId: string): Promise<PendingRow | null> {
  const [row] = await tx.$queryRaw<PendingRow[]>`
    SELECT outbox.id, outbox.turn_id AS "turnId", outbox.conversation_id AS "conversationId",
      outbox.person_id AS "personId", target, text, attempts,
      coalesce(platform_ids, '{}') AS "platformIds", created_at AS "createdAt", first_tried_at AS "firstTriedAt",
      forgotten_at AS "forgottenAt", origin = 'outreach' AS "isOutreach"
    FROM outbox LEFT JOIN turns USING (turn_id) WHERE outbox.id = ${outboxId}::uuid AND status = 'pending'`;
  return row ?? null;
}

/** Finds the earlier reply that this one must wait for. Outreach of which nothing has arrived holds up no answer. */
async function earlierReply(tx: Tx, { conversationId, personId, createdAt }: PendingRow, now: Date) {
  const [earlier] = await tx.$queryRaw<{ attempts: number }[]>`
    SELECT attempts FROM outbox LEFT JOIN turns USING (turn_id)
    WHERE outbox.conversation_id = ${conversationId}::uuid AND outbox.person_id = ${personId}::uuid AND status = 'pending'
      AND created_at < ${createdAt} AND created_at > ${new Date(now.getTime() - KEEP_ORDER_MS)}
      AND (origin IS DISTINCT FROM 'outreach' OR cardinality(platform_ids) > 0)
    ORDER BY created_at LIMIT 1`;
  return earlier ?? null;
}

/** Finds the reply's attempt at outreach if nothing of it has arrived yet, or its words were forgotten; else null. */
async function openOutreach(tx: Tx, row: PendingRow): Promise<HeldOutreach['outreach'] | null> {
  const isForgotten = row.forgottenAt !== null;
  if (!row.isOutreach || (row.platformIds.length > 0 && !isForgotten)) return null;
  const attempt = await outreachOf(tx, row);
  return attempt && { ...attempt, writtenAt: row.createdAt.toISOString(), isForgotten };
}

/** Lists the tool questions of a reply that were not withdrawn, answered or not, in the order of its text. */
function questionsOf(
  tx: Tx,
  turnId: string,
): Promise<{ id: string; tool: string; status: string; expiresAt: Date }[]> {
  return tx.$queryRaw`
    SELECT id::text, tool, status, expires_at AS "expiresAt" FROM tool_calls
    WHERE turn_id = ${turnId}::uuid AND expires_at IS NOT NULL ORDER BY id`;
}

/** Finds the Discord ids of other replies that were sent since this one was first tried, the earliest of them. */
async function othersSent(tx: Tx, row: { id: string; conversationId: string; firstTriedAt: Date | null }) {
  const others = await tx.outboxMessage.findMany({
    where: {
      conversationId: row.conversationId,
      id: { not: row.id },
      OR: [{ settledAt: null }, { settledAt: { gt: row.firstTriedAt ?? new Date(0) } }],
    },
    select: { platformIds: true },
    orderBy: { settledAt: { sort: 'asc', nulls: 'first' } },
    take: MAX_OTHERS,
  });
  return others.flatMap(({ platformIds }) => platformIds);
}
