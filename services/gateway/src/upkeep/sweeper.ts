import { discordContract, lastOf, isDoneWithin } from '@kith/contracts';
import { isOverdue, sql, type Database } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { Erasures } from '../erasure/erasures.js';
import type { ForgetOrders } from '../forgetting/forget-orders.js';
import type { PrivateTalk } from '../forgetting/private-talk.js';
import type { TurnDispatcher } from '../turn/turn-dispatcher.js';
import { BEFORE_ALL, type OpenTurns } from './open-turns.js';
import type { PlaceOrders } from './place-orders.js';
import { holdsLease, LEASE_MS } from '../inbox/lease.js';
import { wordsOfDropped } from '../inbox/lost-words.js';

/** Time between rounds: when a worker died, another one has its turn soon after the lease ran out. */
const EVERY_MS = 2_000;
/** Pause while nothing is open. What is accepted meanwhile is leased for as long, or is overdue no earlier. */
const AT_REST_EVERY_MS = LEASE_MS;
/** Age from which a message without an outcome is overdue: younger ones may be under way. */
const OVERDUE_MS = 8_000;
/** Age from which deliveries and follow-ups are overdue, which may wait behind others. */
const WORK_OVERDUE_MS = 10_000;
/** Time between two questions to the services, which cost more than a look at our own rows and are less pressing. */
const RECONCILE_EVERY_MS = 5_000;
/** Time between two such questions where only given-up follow-ups are open: an operator retries them, and sees it in a minute. */
const PROBLEMS_EVERY_MS = 60_000;
/** Time for the step under way to end when the process does: it holds a connection, and may wait for another service. */
const STOP_WITHIN_MS = 3_000;
/** Rows of one round: the rest waits for the next. */
const BATCH = 200;
/** Number of the advisory lock, chosen at random. The replica that holds it sweeps in this round. */
const SWEEP_LOCK = 4_711_001;

interface UnfinishedWork {
  messages: boolean;
  deliveries: boolean;
  /** Follow-ups of turns, erasures, orders to forget, to leave places and to return to them, and changes of private talk. */
  unfinished: boolean;
  /** Turns whose follow-ups were given up. */
  problems: boolean;
}

/**
 * Puts back to work what Redis lost or a crash cut off: accepted messages without an outcome, replies that were not
 * delivered, turns whose follow-ups are not done, erasures, orders and changes of private talk that were broken off.
 * It runs on an interval of its process and is no job, for Redis may lose jobs.
 */
export class Sweeper {
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;
  /** The round under way, or the last one. */
  private round: Promise<void> = Promise.resolve();
  private reconciling: Promise<void> | null = null;
  /** Ids after which the next page of each begins: waiting rows must not hold up those without a job. */
  private afterMessage = 0n;
  private afterDelivery = BEFORE_ALL;
  private reconciledAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly parts: {
      database: Database;
      messenger: Messenger;
      turns: Pick<TurnDispatcher, 'dispatch'>;
      openTurns: OpenTurns;
      erasures: Erasures;
      forgetting: Pick<ForgetOrders, 'resume'>;
      privateTalk: Pick<PrivateTalk, 'resume'>;
      places: Pick<PlaceOrders, 'resume'>;
      logger: Logger;
    },
  ) {}

  /** Begins with a round, and goes on until it is stopped. */
  start(): void {
    this.round = this.goOn();
  }

  /** Begins no further round and no further step, and waits a moment for the step under way. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await isDoneWithin(Promise.all([this.round, this.reconciling]), STOP_WITHIN_MS);
  }

  private async goOn(): Promise<void> {
    const open = await this.sweep();
    if (this.isStopped) return;
    const everyMs = open?.unfinished ? RECONCILE_EVERY_MS : open?.problems ? PROBLEMS_EVERY_MS : Infinity;
    if (!this.reconciling && performance.now() - this.reconciledAt >= everyMs) {
      this.reconciledAt = performance.now();
      // Beside the rounds: a service that does not answer holds up no message.
      this.reconciling = this.reconcile().finally(() => (this.reconciling = null));
    }
    const isAtRest = open && !open.messages && !open.deliveries && !open.unfinished;
    this.timer = setTimeout(() => this.start(), isAtRest ? AT_REST_EVERY_MS : EVERY_MS).unref();
  }

  /** Puts back overdue messages and deliveries. Returns what is open, overdue or not; null where the round failed. */
  private async sweep(): Promise<UnfinishedWork | null> {
    const { messenger, turns, logger } = this.parts;
    try {
      const { open, inbox, outbox } = await this.find();
      if (this.isStopped) return open;
      for (const message of inbox) await turns.dispatch({ ...message, waiting: 0 }, 0);
      if (messenger.canOrder) {
        for (const { id } of outbox) await messenger.enqueue(discordContract.deliver, { outboxId: id });
      }
      if (inbox.length + outbox.length > 0) {
        logger.warn(
          { messages: inbox.length, deliveries: outbox.length },
          'requeued overdue messages and deliveries',
        );
      }
      return open;
    } catch (error) {
      logger.warn({ err: error }, 'sweep failed');
      return null;
    }
  }

  /**
   * Takes up follow-ups, erasures, orders and changes that were broken off, in one replica at a time. Where one kind
   * fails, as follow-ups do while Redis has no room for jobs, the others are taken up all the same.
   */
  private async reconcile(): Promise<void> {
    const { database, messenger, openTurns, erasures, forgetting, privateTalk, places, logger } = this.parts;
    if (!messenger.canOrder) return;
    const resume: Record<string, () => Promise<number>> = {
      followUps: () => openTurns.reconcile(WORK_OVERDUE_MS),
      erasures: () => erasures.resume(),
      forgetting: () => forgetting.resume(),
      places: () => places.resume(),
      inPrivate: () => privateTalk.resume(),
    };
    try {
      await database.withLock('gateway.open-turns', async () => {
        const resumed: Record<string, number> = {};
        for (const [kind, resumeKind] of Object.entries(resume)) {
          if (this.isStopped) break;
          resumed[kind] = await resumeKind().catch((error: unknown) => {
            logger.warn({ err: error, kind }, 'reconciliation failed');
            return 0;
          });
        }
        if (Object.values(resumed).some((count) => count > 0))
          logger.warn(resumed, 'resumed interrupted follow-ups, erasures and orders');
      });
    } catch (error) {
      logger.warn({ err: error }, 'reconciliation failed');
    }
  }

  /** Finds open work in one statement, then the overdue part of it in one round trip. One replica at a time does so. */
  private find() {
    return this.parts.database.write('system', async (tx) => {
      const [open] = await tx.$queryRaw<[UnfinishedWork & { mayPutBack: boolean }]>`
        SELECT *, (messages OR deliveries) AND pg_try_advisory_xact_lock(${SWEEP_LOCK}) AS "mayPutBack"
        FROM (SELECT
          EXISTS (SELECT FROM inbox WHERE outcome IS NULL) AS messages,
          EXISTS (SELECT FROM outbox WHERE status = 'pending') AS deliveries,
          EXISTS (SELECT FROM turns WHERE followed_up_at IS NULL AND follow_up_problem IS NULL)
            OR EXISTS (SELECT FROM erasures WHERE finished_at IS NULL)
            OR EXISTS (SELECT FROM forget_orders WHERE finished_at IS NULL)
            OR EXISTS (SELECT FROM place_orders WHERE carried_out_at IS NULL)
            OR EXISTS (SELECT FROM people WHERE privacy_asked_at IS NOT NULL) AS unfinished,
          EXISTS (SELECT FROM turns WHERE followed_up_at IS NULL AND follow_up_problem IS NOT NULL) AS problems
        ) AS open`;
      if (!open.mayPutBack) return { open, inbox: [], outbox: [] };
      const [, inbox, outbox] = await Promise.all([
        // A message whose conversation was deleted can't be claimed by anybody.
        tx.$executeRaw`
          UPDATE inbox SET outcome = 'dropped', outcome_reason = 'gone', ended_at = now(), text = ${wordsOfDropped}
          WHERE outcome IS NULL AND NOT EXISTS (
            SELECT 1 FROM conversations WHERE conversation_id = inbox.conversation_id)`,
        // A lease that ran out was of a worker that died. Without a lease, no worker has taken the message yet.
        tx.$queryRaw<{ conversationId: string; inboxId: string; personId: string }[]>`
          SELECT conversation_id AS "conversationId", person_id AS "personId", id::text AS "inboxId"
          FROM (
            SELECT DISTINCT ON (conversation_id, person_id) conversation_id, person_id, id, received_at, lease_until
            FROM inbox WHERE outcome IS NULL ORDER BY conversation_id, person_id, id
          ) AS first
          WHERE NOT ${holdsLease} AND (lease_until IS NOT NULL OR ${isOverdue(sql`received_at`, OVERDUE_MS)})
            AND id > ${this.afterMessage}
          ORDER BY id LIMIT ${BATCH}`,
        // Where its job waits for its time, ordering it again does nothing. The outbox decides how often it is tried.
        tx.$queryRaw<{ id: string }[]>`
          SELECT id FROM outbox
          WHERE status = 'pending' AND ${isOverdue(sql`created_at`, WORK_OVERDUE_MS)} AND id > ${this.afterDelivery}::uuid
          ORDER BY id LIMIT ${BATCH}`,
      ]);
      this.afterMessage = inbox.length < BATCH ? 0n : BigInt(lastOf(inbox).inboxId);
      this.afterDelivery = outbox.length < BATCH ? BEFORE_ALL : lastOf(outbox).id;
      return { open, inbox, outbox };
    });
  }
}
