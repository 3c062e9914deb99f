import { discordContract } from '@kith/contracts';
import type { Database } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { Erasures } from '../erasure/erasures.service.js';
import type { Forgetting } from '../forgetting/forgetting.service.js';
import type { OpenTurns } from './open-turns.js';
import { LEASE_MS } from './claim-conversation.js';
import type { Wake } from './wake.js';

/** Often enough that the turn of a worker that died is with another one soon after its lease ran out. */
const EVERY_MS = 2_000;
/** While nothing is open. What is accepted since the last look is claimed for as long, or not overdue before that. */
const AT_REST_EVERY_MS = LEASE_MS;
/** Younger messages are simply under way. */
const OVERDUE_MS = 8_000;
/** Younger deliveries and follow-ups are. */
const WORK_OVERDUE_MS = 10_000;
/** Asking the services is dearer than a look at our own rows, and less pressing. */
const SETTLE_EVERY_MS = 5_000;
/** Turns whose follow-ups were given up stay open until an operator retries them: their end is noticed in a minute. */
const PROBLEMS_EVERY_MS = 60_000;
/** A round's size: what is beyond it waits for the next round. */
const BATCH = 200;
/** Any number: whoever holds this lock sweeps, the other replicas have the next round. */
const SWEEP_LOCK = 4_711_001;

/** Of what is there anything that has not come to its end? */
interface Open {
  messages: boolean;
  deliveries: boolean;
  /** What follows turns, erasures, and orders to forget. */
  unfinished: boolean;
  /** Turns whose follow-ups were given up. */
  problems: boolean;
}

/**
 * Puts back to work what Redis lost or a crash cut off: accepted messages without an outcome, replies that were not
 * delivered, turns whose follow-ups are not done, erasures and orders to forget that were broken off. An interval of the
 * process rather than a job, for Redis may lose jobs.
 */
export class Sweeper {
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #isSettling = false;
  #settledAt = Number.NEGATIVE_INFINITY;

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
    void this.#goOn();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #goOn(): Promise<void> {
    const now = new Date();
    const open = await this.sweep(now);
    const everyMs = open?.unfinished ? SETTLE_EVERY_MS : open?.problems ? PROBLEMS_EVERY_MS : Infinity;
    if (!this.#isSettling && performance.now() - this.#settledAt >= everyMs) {
      this.#isSettling = true;
      this.#settledAt = performance.now();
      // Beside the rounds: a service that does not answer holds up no message.
      void this.settle(now).finally(() => (this.#isSettling = false));
    }
    const isAtRest = open && !open.messages && !open.deliveries && !open.unfinished;
    if (!this.#isStopped)
      this.#timer = setTimeout(() => void this.#goOn(), isAtRest ? AT_REST_EVERY_MS : EVERY_MS).unref();
  }

  /** One round. Tells what is open, overdue or not; null where that failed. Never throws: the next one is near. */
  async sweep(now: Date): Promise<Open | null> {
    const { messenger, wake, logger } = this.parts;
    try {
      const { open, inbox, outbox } = await this.#find(now);
      for (const message of inbox) await wake.worker({ ...message, waiting: 0 }, 0);
      if (messenger.canOrder) {
        for (const { id } of outbox) await messenger.enqueue(discordContract.deliver, { outboxId: id });
      }
      if (inbox.length + outbox.length > 0) {
        logger.warn({ messages: inbox.length, deliveries: outbox.length }, 'sweeper put overdue work back');
      }
      return open;
    } catch (error) {
      logger.warn({ err: error }, 'sweeper: a round failed');
      return null;
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

  /** What is open in one statement; what is overdue of it in a second one, in one replica at a time. */
  #find(now: Date) {
    return this.parts.database.write('system', async (tx) => {
      const [open] = await tx.$queryRaw<[Open & { mayPutBack: boolean }]>`
        SELECT *, (messages OR deliveries) AND pg_try_advisory_xact_lock(${SWEEP_LOCK}) AS "mayPutBack"
        FROM (SELECT
          EXISTS (SELECT FROM inbox WHERE outcome IS NULL) AS messages,
          EXISTS (SELECT FROM outbox WHERE status = 'pending') AS deliveries,
          EXISTS (SELECT FROM turns WHERE followed_up_at IS NULL AND follow_up_problem IS NULL)
            OR EXISTS (SELECT FROM erasures WHERE finished_at IS NULL)
            OR EXISTS (SELECT FROM forget_orders WHERE finished_at IS NULL) AS unfinished,
          EXISTS (SELECT FROM turns WHERE followed_up_at IS NULL AND follow_up_problem IS NOT NULL) AS problems
        ) AS open`;
      if (!open.mayPutBack) return { open, inbox: [], outbox: [] };
      const [inbox, outbox] = await Promise.all([
        // A lease that ran out was some worker's that died; without one, nobody has looked yet.
        tx.$queryRaw<{ conversationId: string; inboxId: string; personId: string }[]>`
          SELECT conversation_id AS "conversationId", person_id AS "personId", id::text AS "inboxId"
          FROM (
            SELECT DISTINCT ON (conversation_id, person_id) conversation_id, person_id, id, received_at, lease_until
            FROM inbox WHERE outcome IS NULL ORDER BY conversation_id, person_id, id
          ) AS first
          WHERE lease_until < now()
            OR lease_until IS NULL AND received_at < ${new Date(now.getTime() - OVERDUE_MS)}
          ORDER BY id LIMIT ${BATCH}`,
        // Its job may well wait for its time: then this does nothing. How often it is tried, the outbox decides.
        tx.$queryRaw<{ id: string }[]>`
          SELECT id FROM outbox
          WHERE status = 'pending' AND created_at < ${new Date(now.getTime() - WORK_OVERDUE_MS)} LIMIT ${BATCH}`,
      ]);
      return { open, inbox, outbox };
    });
  }
}
