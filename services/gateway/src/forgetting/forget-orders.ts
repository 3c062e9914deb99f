import { randomUUID } from 'node:crypto';
import {
  AppError,
  isErased,
  isUnavailable,
  notedError,
  UNDO_MS,
  type ForgetNamed,
  type ForgetResult,
  type gatewayContract,
  type RequestOutput,
} from '@kith/contracts';
import { DueWork, isOverdue, sql, type Database, type ForgetOrderModel } from '@kith/database';
import { oneByOne, type Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import { deleteFinished } from './delete-finished.js';
import { nameForgotten, NOTHING, previewForget } from './name-forgotten.js';
import type { OrderLocks } from './order-locks.js';
import { OVERDUE_MS, ResumeRounds } from './resume-rounds.js';
import { OrderSteps } from './order-steps.js';
import { OthersNotes } from './others-notes.js';
import type { TranscriptRedactor } from '../redaction/transcript-redactor.js';

/** Reasons of orders that their person gave: carried out, and undone. */
const UNDOABLE = ['forgotten', 'undone'];
/** Orders of one round: each asks three services, and the next round is seconds away. */
const OPEN_LIMIT = 50;
/** Longest time for which sealed lines outlast their undo if the process that sealed them has died. */
const TIDY_AT_LEAST_EVERY_MS = 60_000;
/** Time to wait while others work on the same order, or on too many here. */
const WAIT_MS = 10_000;

/**
 * Forgets across the suite. Stores an order first, without words; then each service carries it out on its own rows. The
 * sweeper resumes an interrupted order. Each service keeps what can be undone sealed among its own rows until the time for
 * an undo is over.
 */
export class ForgetOrders {
  private readonly tidying: DueWork;
  private readonly steps: OrderSteps;
  private readonly notes: OthersNotes;
  private readonly rounds = new ResumeRounds<ForgetOrderModel>({
    limit: OPEN_LIMIT,
    keyOf: ({ id }) => id,
    find: (after, limit) => this.openAfter(after, limit),
    carryOut: (order) => this.carryOut(order),
    onFailure: (error, order) => this.warn(error, order.id),
  });

  constructor(
    private readonly parts: {
      database: Database;
      locks: OrderLocks;
      transcript: TranscriptRedactor;
      messenger: Pick<Messenger, 'ask' | 'enqueue'>;
      logger: Logger;
      /** Has open pages of a person's talk, at any door, load it again. */
      tellOpenPages: (personId: string) => void;
    },
  ) {
    const { database, transcript, messenger, logger, tellOpenPages } = parts;
    this.notes = new OthersNotes(database, messenger);
    this.tidying = new DueWork(() => deleteFinished(database), TIDY_AT_LEAST_EVERY_MS);
    this.steps = new OrderSteps(database, transcript, messenger, this.notes, {
      sealed: (until) => this.tidying.due(until),
      changed: tellOpenPages,
      cutShort: (orderId) =>
        logger.warn(
          { orderId },
          'an order removed so much that not every later reply was compared with it in time',
        ),
    });
  }

  /** Begins to delete sealed words as soon as their time for an undo is over. */
  start(): void {
    this.tidying.start();
  }

  stop(): Promise<void> {
    return this.tidying.stop();
  }

  /**
   * Forgets what is named, or previews it. When it returns, no prompt holds any of it, but for notes on others that a
   * service could not forget yet: the sweeper goes on with those.
   * @throws AppError `unavailable` while a service does not answer: the sweeper then resumes the order
   */
  async forget(asked: RequestOutput<typeof gatewayContract.forget>): Promise<ForgetResult> {
    const { personId, companionId = null, keepTalk } = asked;
    const now = Date.now();
    const what = await nameForgotten(this.parts.messenger, asked, now);
    if (what === null) return NOTHING;
    if (asked.preview) return previewForget(this.parts.messenger, this.parts.transcript, asked, what);
    const named = { personId, companionId, what, keepTalk };
    return this.give({ ...named, at: new Date(now), undoUntil: new Date(now + UNDO_MS) });
  }

  /**
   * Forgets what came from a source that is no message, without an undo: also where it was recalled, but not what was said
   * of it. @throws AppError `unavailable` as `forget` does
   */
  async forgetSource(personId: string, source: string): Promise<void> {
    const what = { kind: 'sources' as const, sources: [source] };
    await this.give({ personId, companionId: null, what, keepTalk: true, at: new Date(), undoUntil: null });
  }

  private async give(
    named: Omit<ForgetOrderModel, 'id' | 'reason' | 'what' | 'finishedAt'> & { what: ForgetNamed },
  ): Promise<ForgetResult> {
    const order = await this.parts.database.asPerson(named.personId, (tx) =>
      tx.forgetOrder.create({ data: { id: randomUUID(), reason: 'forgotten', ...named } }),
    );
    try {
      const forgotten = await this.parts.locks.alone(order.id, WAIT_MS, () => this.steps.forget(order));
      await this.forgetNotesOf(order.id);
      return forgotten;
    } catch (cause) {
      // A receipt would promise an undo.
      const receipt = order.undoUntil === null ? undefined : order.id;
      throw this.goesOn(cause, order.id, 'goes on by itself', receipt);
    }
  }

  /** Logs why an order was broken off, and makes the error that says what becomes of it. */
  private goesOn(cause: unknown, orderId: string, becomes: string, receipt: string | undefined): AppError {
    this.warn(cause, orderId);
    const why = isUnavailable(cause) ? 'does not answer' : 'has failed, and the gateway’s log says how';
    return notedError(`it is noted, and ${becomes}: a part of the suite ${why}`, receipt, cause);
  }

  /**
   * Has the notes on others forgotten that a finished order named. Never throws: the person's own words are gone, and the
   * sweeper resumes the others' orders.
   */
  private async forgetNotesOf(orderId: string): Promise<void> {
    try {
      await this.forgetNotes(await this.notes.givenBy(orderId));
    } catch (error) {
      this.warn(error, orderId);
    }
  }

  /**
   * Puts back what an order took, once. When it returns, the person's own words are back; the sweeper goes on with notes on
   * others that a service could not put back yet.
   * @throws AppError `not_found` once it is undone or its time is over, `unavailable` as `forget` does
   */
  async undo(personId: string, orderId: string): Promise<{ rows: number; lines: number }> {
    const brokenOff = (cause: unknown): never => {
      const becomes = 'comes back by itself, if its ten minutes are not over by then';
      throw isErased(cause) ? cause : this.goesOn(cause, orderId, becomes, orderId);
    };
    const restored = await this.parts.locks.alone(orderId, WAIT_MS, async () => {
      // From here on the sweeper does not resume the order itself, but its undo.
      const found = await this.parts.database.asPerson(personId, (tx) =>
        tx.forgetOrder.updateMany({
          where: { id: orderId, personId, reason: { in: UNDOABLE }, undoUntil: { gt: new Date() } },
          data: { reason: 'undone', finishedAt: null },
        }),
      );
      if (found.count === 0)
        throw new AppError(
          'not_found',
          'there is nothing to undo: it is undone already, or gone after ten minutes',
        );
      return this.steps.putBack(personId, orderId).catch(brokenOff);
    });
    await this.endUndo(personId, orderId).catch((error: unknown) => this.warn(error, orderId));
    return restored;
  }

  /** Forgets what companions noted about others of all that a person said in channels. @throws AppError `unavailable` */
  async forgetNotesOfAll(personId: string): Promise<void> {
    await this.forgetNotes(await this.notes.orderAll(personId));
  }

  /** Removes for good the replies that repeat lines of a person's that retention has taken. @throws AppError `unavailable` */
  forgetRepeatsOfLost(personId: string): Promise<void> {
    return this.steps.repeats.ofErased(personId);
  }

  /**
   * Forgets what was made of replies that are removed for good, as they repeat the words of a person who is erased. Safe to
   * repeat. @throws AppError `unavailable`
   */
  forgetReplies(personId: string, turnIds: string[]): Promise<void> {
    return this.steps.made.forgetReplies(personId, turnIds);
  }

  /** Carries out the orders that an order gave about notes on others, outside its lock: locks are few. */
  private async forgetNotes(given: readonly Pick<ForgetOrderModel, 'id' | 'personId'>[]): Promise<void> {
    await oneByOne(given, async (order) => {
      await this.parts.locks
        .alone(order.id, WAIT_MS, () => this.goOn(order))
        .catch((error: unknown) => {
          // The erasure deletes these notes, too.
          if (!isErased(error)) throw error;
        });
    });
  }

  /** Undoes the orders that an order gave about notes on others, and deletes it; outside its lock, as they take their own. */
  private async endUndo(personId: string, orderId: string): Promise<void> {
    // The person's own words are back, whatever becomes of the notes.
    this.parts.tellOpenPages(personId);
    for (const given of await this.notes.givenBy(orderId))
      await this.undo(given.personId, given.id).catch((error: unknown) => {
        // Its time is over, or its person was erased.
        if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
      });
    await this.parts.database.asPerson(personId, async (tx) => {
      await tx.sealedLine.deleteMany({ where: { orderId } });
      await tx.forgetOrder.deleteMany({ where: { id: orderId } });
    });
  }

  /** Carries out the order of an edit or a deletion at a door. Never throws: the sweeper resumes it. */
  async follow(orderId: string, personId: string): Promise<void> {
    try {
      const order = await this.parts.database.asPerson(personId, (tx) =>
        tx.forgetOrder.findUnique({ where: { id: orderId } }),
      );
      if (order) await this.carryOut(order);
    } catch (error) {
      this.warn(error, orderId);
    }
  }

  /**
   * Resumes interrupted orders, until a service does not answer. Returns how many it has tried; those for replies that did
   * not arrive are left to it by intent, and don't count.
   */
  async resume(): Promise<number> {
    const tried = await this.rounds.next();
    return tried.filter(({ reason }) => reason !== 'undelivered').length;
  }

  private openAfter(after: string, limit: number): Promise<ForgetOrderModel[]> {
    return this.parts.database.reader('system').$queryRaw<ForgetOrderModel[]>`
      SELECT id, person_id AS "personId", companion_id AS "companionId", reason, what, keep_talk AS "keepTalk", at,
        undo_until AS "undoUntil", finished_at AS "finishedAt"
      FROM forget_orders
      WHERE finished_at IS NULL AND ${isOverdue(sql`at`, OVERDUE_MS)} AND id::text > ${after}
      ORDER BY id::text LIMIT ${limit}`;
  }

  private warn(error: unknown, orderId: string): void {
    this.parts.logger.warn(
      { err: error, orderId },
      'an order to forget has not reached every service yet; the sweeper will try again',
    );
  }

  private async carryOut(order: ForgetOrderModel): Promise<void> {
    if (UNDOABLE.includes(order.reason)) {
      const isUndone = await this.parts.locks.alone(order.id, 0, () => this.goOn(order));
      if (isUndone) return this.endUndo(order.personId, order.id);
    } else if (order.reason === 'undelivered') await this.steps.unsay(order);
    else await this.steps.revise(order);
    await this.forgetNotes(await this.notes.givenBy(order.id));
  }

  /** Carries out an order or its undo, unless it was finished since it was found. Returns true for an undo. */
  private async goOn({ id, personId }: Pick<ForgetOrderModel, 'id' | 'personId'>): Promise<boolean> {
    const order = await this.parts.database.asPerson(personId, (tx) =>
      tx.forgetOrder.findUnique({ where: { id, finishedAt: null } }),
    );
    if (order?.reason !== 'undone') {
      if (order) await this.steps.forget(order);
      return false;
    }
    // The time for an undo may have been ended early, when the app left a server: then nothing is restored.
    if (order.undoUntil && order.undoUntil > new Date()) await this.steps.putBack(personId, id);
    return true;
  }
}
