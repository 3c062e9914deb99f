import type { OutreachSettings } from '@kith/contracts';
import type { Database, LeftPlaces, OutreachAttemptModel } from '@kith/database';
import { tellableAttempts } from './tellable.js';
import { ensureSettings } from './stored-settings.js';
import { failAttempt, type Refusal } from './end-attempt.js';

/** A decided outreach, as the gateway is asked to carry it out. */
export type QueuedAttempt = Pick<OutreachAttemptModel, 'id' | 'personId' | 'companionId' | 'channelId'>;

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
