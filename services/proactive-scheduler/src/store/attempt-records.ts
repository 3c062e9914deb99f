import type { OutreachSettings } from '@kith/contracts';
import {
  latestTime,
  liesAhead,
  sql,
  type Database,
  type LeftPlaces,
  type OutreachAttemptModel,
  type Prisma,
  type Tx,
} from '@kith/database';
import { decideOutreach } from '../decision/decide-outreach.js';
import { TASK_SOURCE } from '../decision/plan-intention.js';
import {
  callOff,
  countAsUnsent,
  endAttempt,
  endUndelivered,
  failAttempt,
  noteUndelivered,
  type Refusal,
  type UndeliveredOutreach,
} from './end-attempt.js';
import { intentionsWhere, loadSituation, tellableAttempts } from './load-situation.js';
import { ensureSettings, lockSettings } from './stored-settings.js';

/** A decided outreach, as the gateway is asked to carry it out. */
export type QueuedAttempt = Pick<OutreachAttemptModel, 'id' | 'personId' | 'companionId' | 'channelId'>;

/** State of what an attempt is about. */
export interface ToSay {
  /** True where it needs no message now. */
  isOver: boolean;
  /** Time to which its task was put off. */
  putOffTo: Date | null;
}
export const STILL_TO_SAY: ToSay = { isOver: false, putOffTo: null };
export const NOTHING_TO_SAY: ToSay = { isOver: true, putOffTo: null };

/** Facts about an attempt that other services know. */
interface AttemptFacts extends ToSay {
  /** True while anything else of its person is under way at the gateway. */
  isBusy: boolean;
}

/** Problem of an attempt that the gateway does not know of. */
const UNHEARD_OF = 'nothing was heard of it for hours';

/** Outreach attempts in Postgres. Each method is one transaction. */
export class AttemptRecords {
  constructor(
    private readonly database: Database,
    private readonly left: Pick<LeftPlaces, 'read'>,
    /** Defaults of a person without settings. */
    private readonly defaults: OutreachSettings,
  ) {}

  /** Lists attempts, the newest first, from after `cursor` on. */
  list(personId: string, limit: number, cursor?: string): Promise<OutreachAttemptModel[]> {
    return this.database.asPerson(personId, async (tx) =>
      tx.outreachAttempt.findMany({
        // Starts after an id, whether or not its attempt may still be told.
        where: {
          personId,
          ...(cursor !== undefined && { id: { lt: cursor } }),
          ...(await tellableAttempts(tx, this.left, personId)),
        },
        orderBy: { id: 'desc' },
        take: limit,
      }),
    );
  }

  /**
   * Returns the reason of an attempt that is about to begin; null where it may not begin. The decision is repeated for
   * its reason alone, because it may be hours old. An attempt that would not be decided again fails, and its reason is
   * open again.
   */
  reasonOf(personId: string, attemptId: string, now: Date, facts: AttemptFacts): Promise<string | null> {
    return this.database.asPerson(personId, async (tx) => {
      const attempt = await underWay(tx, { id: attemptId, personId, status: 'queued' });
      return attempt && (await this.holdsStill(tx, attempt, now, facts)) ? attempt.reason : null;
    });
  }

  /**
   * Tells whether an attempt whose turn is written may still be delivered. The decision is repeated as at its
   * beginning, because delivery may wait for Discord. The gateway drops the message of one that may not.
   */
  mayArrive(personId: string, attemptId: string, now: Date, facts: AttemptFacts): Promise<boolean> {
    return this.database.asPerson(personId, async (tx) => {
      const status = { in: ['queued', 'sent'] };
      const attempt = await underWay(tx, { id: attemptId, personId, status });
      if (attempt && (await this.holdsStill(tx, attempt, now, facts))) return true;
      await noteUndelivered(tx, { id: attemptId, personId });
      return false;
    });
  }

  /** Finds the task that an attempt reminds of, and when it was due at the decision; null where it reminds of none. */
  async reminderOf(personId: string, attemptId: string): Promise<{ taskId: string; dueAt: Date } | null> {
    const rows = await this.database.reader({ personId }).$queryRaw<{ sources: string[]; dueAt: Date }[]>`
      SELECT attempt.sources, due_at AS "dueAt"
      FROM outreach_attempts AS attempt JOIN intentions ON intentions.id = intention_id
      WHERE attempt.id = ${attemptId}::uuid AND attempt.person_id = ${personId}::uuid`;
    const [reminder] = rows.flatMap(({ sources, dueAt }) =>
      sources
        .filter((source) => source.startsWith(TASK_SOURCE))
        .map((source) => ({ taskId: source.slice(TASK_SOURCE.length), dueAt })),
    );
    return reminder ?? null;
  }

  /**
   * Repeats the decision on an attempt as if it were new, and cancels the attempt where the result differs, or where the
   * app has left the place that it is for or from: its reason waits until the app is back.
   */
  private async holdsStill(
    tx: Tx,
    attempt: OutreachAttemptModel,
    now: Date,
    { isOver, putOffTo, isBusy }: AttemptFacts,
  ): Promise<boolean> {
    const { id, personId, intentionId, channelId } = attempt;
    const isSent = attempt.status === 'sent';
    const situation = await loadSituation(tx, this.left, this.defaults, { personId, now, isBusy });
    const decision = decideOutreach({
      ...situation,
      intentions: intentionId === null ? [] : await intentionsWhere(tx, { id: intentionId }),
      attempts: situation.attempts.filter((other) => other.id !== id),
      unanswered: situation.unanswered - (isSent ? 1 : 0),
    });
    const isTellable =
      (await tx.outreachAttempt.count({
        where: { id, ...(await tellableAttempts(tx, this.left, personId)) },
      })) > 0;
    const isDecided = decision.kind === 'reach-out' && decision.place.channelId === channelId;
    if (!isOver && isTellable && isDecided) return true;
    // Opting out drops the reasons of a person, so none is reopened.
    const reopens = situation.settings.optedIn && (!isOver || putOffTo !== null);
    await callOff(tx, { id, status: attempt.status }, { reopens });
    // Reopened for the time to which the task was put off, and not for the original one.
    if (reopens && putOffTo && intentionId !== null)
      await tx.intention.updateMany({
        where: { id: intentionId, status: 'open' },
        data: { dueAt: putOffTo },
      });
    if (isSent) await countAsUnsent(tx, personId);
    return false;
  }

  /**
   * Lists attempts under way that are old, or were decided by a clock that was ahead: the process may have ended before
   * it asked the gateway.
   */
  stale(decidedBefore: Date): Promise<QueuedAttempt[]> {
    return this.database.reader('system').$queryRaw<QueuedAttempt[]>`
      SELECT id, person_id AS "personId", companion_id AS "companionId", channel_id AS "channelId"
      FROM outreach_attempts
      WHERE status = 'queued' AND (decided_at < ${decidedBefore} OR ${liesAhead(sql`decided_at`)})`;
  }

  /** Fails an attempt that never ended. Its reason is decided on again, unless it is too old by now. */
  async giveUp({ id, personId }: Pick<QueuedAttempt, 'id' | 'personId'>): Promise<void> {
    await this.database.asPerson(personId, (tx) =>
      callOff(tx, { id }, { reopens: true, problem: UNHEARD_OF }),
    );
  }

  /** Counts an attempt as sent whose turn was answered, where its end was never heard of. */
  async noteAnswered({ id, personId }: Pick<QueuedAttempt, 'id' | 'personId'>, endedAt: Date): Promise<void> {
    const ended = { personId, attemptId: id, outcome: 'answered' as const, reason: null, endedAt };
    await this.database.write({ personId }, (writer) => endAttempt(writer, ended));
  }

  /** Fails an attempt that could not be delivered, and does not count it as sent. Safe to repeat. */
  async endUndelivered(outreach: UndeliveredOutreach): Promise<void> {
    await this.database.asPerson(outreach.personId, (tx) => endUndelivered(tx, outreach));
  }

  /**
   * Records that no door reaches the person until they speak, or not in their channel until they speak there. The first
   * is ignored if they have spoken since; where they spoke is not stored, so the second is not. The reason of what was
   * refused is reopened.
   */
  async markUnreachable({ personId, channelId, attemptId, reason, at }: Refusal): Promise<void> {
    await this.database.asPerson(personId, async (tx) => {
      await ensureSettings(tx, personId, this.defaults);
      const ahead = { lastSpokeAt: { gt: await latestTime(tx) } };
      const isFresh = { OR: [{ lastSpokeAt: null }, { lastSpokeAt: { lt: at } }, ahead] };
      await (channelId === null
        ? tx.outreachSetting.updateMany({ where: { personId, ...isFresh }, data: { unreachable: reason } })
        : tx.outreachSetting.updateMany({
            where: { personId, channelId },
            data: { channelProblem: reason },
          }));
      if (attemptId !== null) await failAttempt(tx, { personId, channelId, attemptId, reason, at });
    });
  }
}

/** Finds an attempt. Locks the person's settings. */
async function underWay(tx: Tx, where: Prisma.OutreachAttemptWhereInput & { personId: string }) {
  await lockSettings(tx, where.personId);
  return tx.outreachAttempt.findFirst({ where });
}
