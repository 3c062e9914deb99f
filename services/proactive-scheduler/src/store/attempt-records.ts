import type { OutreachSettings } from '@kith/contracts';
import type { Database, LeftPlaces, OutreachAttemptModel, Prisma, Tx } from '@kith/database';
import { channelIdOf } from '../decision/choose-place.js';
import { decideOutreach } from '../decision/decide-outreach.js';
import {
  callOff,
  countAsUnsent,
  endUndelivered,
  failAttempt,
  noteUndelivered,
  type Refusal,
  type UndeliveredOutreach,
} from './end-attempt.js';
import { intentionsWhere, loadSituation } from './load-situation.js';
import { ensureSettings, lockSettings } from './stored-settings.js';
import { tellableAttempts } from './tellable.js';

/** A decided outreach, as the gateway is asked to carry it out. */
export type QueuedAttempt = Pick<OutreachAttemptModel, 'id' | 'personId' | 'companionId' | 'channelId'>;

/** State of what an attempt is to say. */
export interface ToSay {
  /** True where there is nothing to write about now. */
  isOver: boolean;
  /** When there will be: its task was put off until then. */
  putOffTo: Date | null;
}
export const STILL_TO_SAY: ToSay = { isOver: false, putOffTo: null };
export const NOTHING_TO_SAY: ToSay = { isOver: true, putOffTo: null };

/** Beginning of the source of a reminder, before its task's id. */
export const TASK_SOURCE = 'task:';
/** Problem of an attempt that the gateway has nothing of. */
const UNHEARD_OF = 'nothing was heard of it for hours';

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

  /**
   * Returns the reason of an attempt that is about to begin; null for one that was dropped, erased or held back since.
   * Its reason alone is decided on once more, for `now`: hours may lie between a decision and its beginning. An attempt
   * that would not be decided on any more has failed, and its reason is open again.
   */
  reasonOf(personId: string, attemptId: string, now: Date, left = STILL_TO_SAY): Promise<string | null> {
    return this.database.asPerson(personId, async (tx) => {
      const attempt = await this.underWay(tx, { id: attemptId, personId, status: 'queued' });
      return attempt && (await this.holdsStill(tx, attempt, now, left)) ? attempt.reason : null;
    });
  }

  /**
   * Tells whether an attempt whose turn is written and waits to be delivered may still arrive. It is decided on once more,
   * as at its beginning: minutes lie between the two while Discord is away. The message of one that may not is dropped.
   */
  mayArrive(personId: string, attemptId: string, now: Date, left = STILL_TO_SAY): Promise<boolean> {
    return this.database.asPerson(personId, async (tx) => {
      const status = { in: ['queued', 'sent'] };
      const attempt = await this.underWay(tx, { id: attemptId, personId, status });
      if (attempt && (await this.holdsStill(tx, attempt, now, left))) return true;
      await noteUndelivered(tx, { id: attemptId, personId });
      return false;
    });
  }

  /** Finds the task that an attempt reminds of, and when it was due as that was planned; null where it reminds of none. */
  async reminderOf(personId: string, attemptId: string): Promise<{ taskId: string; dueAt: Date } | null> {
    const rows = await this.database.read(
      { personId },
      (reader) => reader.$queryRaw<{ sources: string[]; dueAt: Date }[]>`
        SELECT attempt.sources, due_at AS "dueAt"
        FROM outreach_attempts AS attempt JOIN intentions ON intentions.id = intention_id
        WHERE attempt.id = ${attemptId}::uuid AND attempt.person_id = ${personId}::uuid`,
    );
    const [reminder] = rows.flatMap(({ sources, dueAt }) =>
      sources
        .filter((source) => source.startsWith(TASK_SOURCE))
        .map((source) => ({ taskId: source.slice(TASK_SOURCE.length), dueAt })),
    );
    return reminder ?? null;
  }

  /** Finds an attempt that may be told of, with its person's settings locked. */
  private async underWay(
    tx: Tx,
    where: Prisma.OutreachAttemptWhereInput & { personId: string },
  ): Promise<OutreachAttemptModel | null> {
    await lockSettings(tx, where.personId);
    return tx.outreachAttempt.findFirst({
      where: { ...where, ...(await tellableAttempts(tx, this.left, where.personId)) },
    });
  }

  /** Decides on an attempt as if for the first time, and calls it off where it would not be decided on any more. */
  private async holdsStill(
    tx: Tx,
    attempt: OutreachAttemptModel,
    now: Date,
    { isOver, putOffTo }: ToSay,
  ): Promise<boolean> {
    const { id, personId, intentionId, channelId } = attempt;
    const isSent = attempt.status === 'sent';
    const situation = await loadSituation(tx, this.left, this.defaults, { personId, now, isBusy: false });
    const decision = decideOutreach({
      ...situation,
      intentions: intentionId === null ? [] : await intentionsWhere(tx, { id: intentionId }),
      attempts: situation.attempts.filter((other) => other.id !== id),
      unanswered: situation.unanswered - (isSent ? 1 : 0),
    });
    if (!isOver && decision.kind === 'reach-out' && channelIdOf(decision.place) === channelId) return true;
    // Whoever opted out dropped their reasons.
    const reopens = situation.settings.optedIn && (!isOver || putOffTo !== null);
    await callOff(tx, { id, status: attempt.status }, { reopens });
    // The task is not heard of again on the day for which it was planned: its reason waits for the new time.
    if (reopens && putOffTo && intentionId !== null)
      await tx.intention.updateMany({
        where: { id: intentionId, status: 'open' },
        data: { dueAt: putOffTo },
      });
    if (isSent) await countAsUnsent(tx, personId);
    return false;
  }

  /** Lists attempts still under way that were decided long ago: the process may have ended before it asked the gateway. */
  stale(decidedBefore: Date): Promise<QueuedAttempt[]> {
    return this.database.read(
      'system',
      (reader) => reader.$queryRaw<QueuedAttempt[]>`
        SELECT id, person_id AS "personId", companion_id AS "companionId", channel_id AS "channelId"
        FROM outreach_attempts WHERE status = 'queued' AND decided_at < ${decidedBefore}`,
    );
  }

  /** Gives up an attempt that nothing was heard of: its reason is decided on anew, or is too old by now. */
  async giveUp({ id, personId }: Pick<QueuedAttempt, 'id' | 'personId'>): Promise<void> {
    await this.database.asPerson(personId, (tx) =>
      callOff(tx, { id }, { reopens: true, problem: UNHEARD_OF }),
    );
  }

  /** Ends an attempt that was given up undelivered: it does not count as sent. Safe to repeat. */
  async endUndelivered(outreach: UndeliveredOutreach): Promise<void> {
    await this.database.asPerson(outreach.personId, (tx) => endUndelivered(tx, outreach));
  }

  /**
   * Notes that no door reaches the person, or not in their channel, until they speak; not if they have spoken since. What
   * could not be said in a channel is open again, for the place that is left, or once it can be said there.
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
