import { discordContract } from '@kith/contracts';
import type { Database } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { Erasures } from '../erasure/erasures.service.js';
import type { Forgetting } from '../forgetting/forgetting.service.js';
import type { OpenTurns } from './open-turns.js';
import type { Wake } from './wake.js';

/** Often enough that the turn of a worker that died is with another one soon after its lease ran out. */
const EVERY_MS = 2_000;
/** Younger messages are simply under way. */
const OVERDUE_MS = 8_000;
/** Younger deliveries and follow-ups are. */
const WORK_OVERDUE_MS = 10_000;
/** Asking the services is dearer than a look at our own rows, and less pressing. */
const SETTLE_EVERY_MS = 5_000;
/** A round's size: what is beyond it waits for the next round. */
const BATCH = 200;
/** Any number: whoever holds this lock sweeps, the other replicas have the next round. */
const SWEEP_LOCK = 4_711_001;

/**
 * Puts back to work what Redis lost or a crash cut off: accepted messages without an outcome, replies that were not
 * delivered, turns whose follow-ups are not done, erasures and orders to forget that were broken off. An interval of the
 * process rather than a job, for Redis may lose jobs.
 */
export class Sweeper {
  #timers: NodeJS.Timeout[] = [];

  constructor(
    private readonly parts: {
      database: Database;
      messenger: Messenger;
      wake: Wake;
      openTurns: OpenTurns;
      erasures: Erasures;
      forgetting: Pick<Forgetting, 'resume'>;
      logger: Logger;
    },
  ) {}

  start(): void {
    this.#timers = [
      setInterval(() => void this.sweep(new Date()), EVERY_MS),
      setInterval(() => void this.settle(new Date()), SETTLE_EVERY_MS),
    ];
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** One round. Never throws: the next one is near. */
  async sweep(now: Date): Promise<void> {
    const { messenger, wake, logger } = this.parts;
    try {
      const found = await this.#find(now);
      if (!found) return;
      for (const message of found.inbox) await wake.worker({ ...message, waiting: 0 }, 0);
      if (messenger.canOrder) {
        for (const { id } of found.outbox) await messenger.enqueue(discordContract.deliver, { outboxId: id });
      }
      if (found.inbox.length + found.outbox.length > 0) {
        logger.warn(
          { messages: found.inbox.length, deliveries: found.outbox.length },
          'sweeper put overdue work back',
        );
      }
    } catch (error) {
      logger.warn({ err: error }, 'sweeper: a round failed');
    }
  }

  /** One round for what follows the turns and for erasures, in one replica at a time. Never throws either. */
  async settle(now: Date): Promise<void> {
    const { database, messenger, openTurns, erasures, forgetting, logger } = this.parts;
    if (!messenger.canOrder) return;
    try {
      await database.withLock('gateway.open-turns', async () => {
        const ordered = await openTurns.settle(new Date(now.getTime() - WORK_OVERDUE_MS));
        const erasing = await erasures.resume(now);
        const forgotten = await forgetting.resume(now);
        if (ordered + erasing + forgotten > 0)
          logger.warn(
            { followUps: ordered, erasures: erasing, forgetting: forgotten },
            'sweeper put overdue work back',
          );
      });
    } catch (error) {
      logger.warn({ err: error }, 'sweeper: a round failed');
    }
  }

  #find(now: Date) {
    return this.parts.database.asSystem(async (tx) => {
      const [lock] = await tx.$queryRaw<{ held: boolean }[]>`
        SELECT pg_try_advisory_xact_lock(${SWEEP_LOCK}) AS held`;
      if (!lock?.held) return null;
      // A lease that ran out was some worker's that died; without one, nobody has looked yet.
      const inbox = await tx.$queryRaw<{ conversationId: string; inboxId: string; personId: string }[]>`
        SELECT conversation_id AS "conversationId", person_id AS "personId", id::text AS "inboxId"
        FROM (
          SELECT DISTINCT ON (conversation_id, person_id) conversation_id, person_id, id, received_at, lease_until
          FROM inbox WHERE outcome IS NULL ORDER BY conversation_id, person_id, id
        ) AS first
        WHERE lease_until < now()
          OR lease_until IS NULL AND received_at < ${new Date(now.getTime() - OVERDUE_MS)}
        ORDER BY id LIMIT ${BATCH}`;
      // Its job may well wait for its time: then this does nothing. How often it is tried, the outbox decides.
      const outbox = await tx.outboxMessage.findMany({
        where: { status: 'pending', createdAt: { lt: new Date(now.getTime() - WORK_OVERDUE_MS) } },
        take: BATCH,
        select: { id: true },
      });
      return { inbox, outbox };
    });
  }
}
