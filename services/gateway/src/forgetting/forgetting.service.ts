import { randomUUID } from 'node:crypto';
import {
  AppError,
  ForgetNamed,
  memoryContract,
  outreachContract,
  personalityContract,
  UNDO_MS,
  type ForgetResult,
  type gatewayContract,
  type RequestOutput,
} from '@kith/contracts';
import { DueWork, type Database, type ForgetOrderModel } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import { talkOf, type TalkRecords } from './talk-records.js';
import { Revision } from './revise-line.js';
import { UnsaidReply } from './unsaid-reply.js';

type Asked = RequestOutput<typeof gatewayContract.forget>;

/** Younger orders are simply under way. */
const OVERDUE_MS = 10_000;
const OPEN_LIMIT = 50;
/** A message of the companion's own that was called off may be heard of late, from a queue that was held up. */
const KEEP_ORDERS_DAYS = 7;
/** How long sealed lines may outlast the time of an undo, where the process that sealed them has died. */
const TIDY_AT_LEAST_EVERY_MS = 60_000;

/** What every service is asked with. */
interface Made {
  turnIds: string[];
  messageIds: string[];
  memoryIds: string[];
}

/**
 * Forgets across the suite: an order is noted first, without words, then each service carries it out on what it keeps.
 * One that was broken off is gone on with; what can be undone is sealed where it was, until its time is over.
 */
export class Forgetting {
  readonly #tidying: DueWork;

  constructor(
    private readonly database: Database,
    private readonly talk: TalkRecords,
    private readonly messenger: Pick<Messenger, 'ask' | 'enqueue'>,
    private readonly logger: Logger,
  ) {
    this.#tidying = new DueWork(() => this.#tidy(), TIDY_AT_LEAST_EVERY_MS);
  }

  /** From now on lets go of words that can't be had back any more, as soon as they can't. */
  start(): void {
    this.#tidying.start();
  }

  stop(): Promise<void> {
    return this.#tidying.stop();
  }

  /**
   * Forgets what is named, or shows what would be. When it answers, no prompt holds it and nothing tells it.
   * @throws AppError `unavailable` while a service does not answer: then the order goes on by itself
   */
  async forget(asked: Asked): Promise<ForgetResult> {
    const { personId, keepTalk } = asked;
    const companionId = asked.companionId ?? null;
    const what = await this.#named(asked);
    if (what === null) return NOTHING;
    if (asked.preview) return this.#preview({ personId, companionId, what, keepTalk });
    const now = Date.now();
    const order = await this.database.asPerson(personId, (tx) =>
      tx.forgetOrder.create({
        data: {
          ...{ id: randomUUID(), personId, companionId, what, keepTalk, reason: 'forgotten' },
          ...{ at: new Date(now), undoUntil: new Date(now + UNDO_MS) },
        },
      }),
    );
    try {
      return await this.#forget(order);
    } catch (cause) {
      const message = 'it is noted, and goes on by itself: a part of the suite does not answer';
      throw new AppError('unavailable', message, { receipt: order.id }, { cause });
    }
  }

  /** Puts back what an order took. @throws AppError `not_found` once its time is over, `unavailable` to be tried again */
  async undo(personId: string, orderId: string): Promise<{ rows: number; lines: number }> {
    // From here on it is not carried out any more, should it have been broken off.
    const found = await this.database.asPerson(personId, (tx) =>
      tx.forgetOrder.updateMany({
        where: { id: orderId, personId, reason: 'forgotten', undoUntil: { gt: new Date() } },
        data: { finishedAt: new Date() },
      }),
    );
    if (found.count === 0) {
      throw new AppError('not_found', 'there is nothing to undo: it is gone after ten minutes');
    }
    const { lines, turnIds } = await this.talk.undo(personId, orderId);
    const request = { orderId, personId, turnIds };
    const { rows } = await this.messenger.ask(memoryContract.undoForget, request);
    await this.messenger.ask(personalityContract.undoForget, request);
    await this.messenger.ask(outreachContract.undoForget, request);
    await this.database.asPerson(personId, (tx) => tx.forgetOrder.deleteMany({ where: { id: orderId } }));
    return { rows, lines };
  }

  /** Carries out what an edit or a deletion at a door left to do. Never throws: what is left, the sweeper finds. */
  async follow(orderId: string, personId: string): Promise<void> {
    try {
      const order = await this.database.asPerson(personId, (tx) =>
        tx.forgetOrder.findUnique({ where: { id: orderId } }),
      );
      if (order) await this.#carryOut(order);
    } catch (error) {
      this.logger.warn({ err: error, orderId }, 'a revision is not carried out yet');
    }
  }

  /** Goes on with orders that were broken off. Answers how many there were. */
  async resume(now: Date): Promise<number> {
    const open = await this.database.read(
      'system',
      (reader) => reader.$queryRaw<ForgetOrderModel[]>`
        SELECT id, person_id AS "personId", companion_id AS "companionId", reason, what, keep_talk AS "keepTalk", at,
          undo_until AS "undoUntil", finished_at AS "finishedAt"
        FROM forget_orders WHERE finished_at IS NULL AND at < ${new Date(now.getTime() - OVERDUE_MS)}
        ORDER BY at LIMIT ${OPEN_LIMIT}`,
    );
    for (const order of open) {
      await this.#carryOut(order).catch((error: unknown) => {
        this.logger.warn({ err: error, orderId: order.id }, 'an order to forget is not carried out yet');
      });
    }
    return open.length;
  }

  async #carryOut(order: ForgetOrderModel): Promise<void> {
    if (order.reason === 'forgotten') await this.#forget(order);
    else if (order.reason === 'undelivered') await this.#unsay(order);
    else await this.#revise(order);
  }

  /** Every step bears repeats, so that an order is carried out from its beginning wherever it was broken off. */
  async #forget(order: ForgetOrderModel): Promise<ForgetResult> {
    const { id: orderId, personId, companionId, keepTalk } = order;
    const what = ForgetNamed.parse(order.what);
    const undoUntil = order.undoUntil?.toISOString() ?? null;
    const removed = await this.messenger.ask(memoryContract.forget, {
      ...{ orderId, personId, companionId, what, undoUntil, preview: false },
    });
    const { rows, points, memoryIds, sources } = removed;
    const choice = { personId, companionId, what: talkOf(what, sources, order.at) };
    const until = order.undoUntil;
    if (until) this.#tidying.due(until);
    const touched = await this.talk.forget({ orderId, until, keepTalk }, choice, { memoryIds, sources });
    const messageIds = [...new Set([...sources, ...touched.messageIds])];
    const made = { turnIds: touched.turnIds, messageIds, memoryIds };
    const started = await this.#forgetMade(order, made, what.kind === 'all' ? order.at.toISOString() : null);
    await this.#finish(order);
    return {
      ...{ rows, points, receipt: orderId, undoUntil, memories: [], talk: [] },
      lines: touched.lines + started,
    };
  }

  /** Has the others forget what they made. Returns how many lines of the companion's own went with it. */
  async #forgetMade(
    { id: orderId, personId, companionId, undoUntil: until, reason }: ForgetOrderModel,
    made: Made,
    before: string | null,
  ): Promise<number> {
    const undoUntil = until?.toISOString() ?? null;
    const request = {
      ...{ orderId, personId, companionId, before, undoUntil, ...made },
      isReread: reason === 'edited',
    };
    await this.messenger.ask(personalityContract.forget, request);
    const { attemptIds } = await this.messenger.ask(outreachContract.forget, request);
    return this.talk.forgetStarted({ orderId, personId, until }, attemptIds);
  }

  /** The line has its new words, or none, already: what was made of the old ones goes, and is made again. */
  async #revise(order: ForgetOrderModel): Promise<void> {
    const { id: orderId, personId } = order;
    const { source, revision, turnId, companionId } = Revision.parse(order.what);
    const { memoryIds, others } = await this.messenger.ask(memoryContract.revise, {
      ...{ orderId, personId, companionId, source, revision, turnId },
    });
    await this.talk.clean(personId, { memoryIds, sources: [source] });
    await this.#forgetMade(order, { turnIds: [turnId], messageIds: [source], memoryIds }, null);
    const alsoSaid = await this.talk.turnsOf(personId, others);
    const turnIds = [...new Set([...(revision === null ? [] : [turnId]), ...alsoSaid])];
    if (turnIds.length > 0) await this.messenger.ask(memoryContract.reread, { personId, turnIds });
    if (revision !== null) {
      await this.messenger.enqueue(outreachContract.notice, { turnIds: [turnId] });
      await this.messenger.enqueue(personalityContract.reread, { turnId, revision });
    }
    await this.#finish(order);
  }

  /** Another part of a reply counts as said by now: none, where nothing of it arrived. What it promised is read again. */
  async #unsay(order: ForgetOrderModel): Promise<void> {
    await this.messenger.ask(outreachContract.noticeAgain, UnsaidReply.parse(order.what));
    await this.#finish(order);
  }

  async #finish({ id, personId }: ForgetOrderModel): Promise<void> {
    await this.database.asPerson(personId, (tx) =>
      tx.forgetOrder.updateMany({ where: { id, finishedAt: null }, data: { finishedAt: new Date() } }),
    );
  }

  /** What is to go, by name; null where a query is about nothing. */
  async #named({ personId, companionId, what }: Asked): Promise<ForgetNamed | null> {
    if (what.kind !== 'query') return what;
    if (companionId === undefined) {
      throw new AppError('invalid_request', 'name the companion whose memories to search', {
        field: 'companion',
      });
    }
    const { query } = what;
    const { ids } = await this.messenger.ask(memoryContract.findToForget, { personId, companionId, query });
    return ids.length === 0 ? null : { kind: 'ids', ids };
  }

  async #preview({
    personId,
    companionId,
    what,
    keepTalk,
  }: Pick<ForgetOrderModel, 'personId' | 'companionId' | 'keepTalk'> & {
    what: ForgetNamed;
  }): Promise<ForgetResult> {
    const { rows, memories, sources } = await this.messenger.ask(memoryContract.forget, {
      ...{ orderId: randomUUID(), personId, companionId, what, undoUntil: null, preview: true },
    });
    const talk = keepTalk
      ? { lines: 0, talk: [] }
      : await this.talk.preview({ personId, companionId, what: talkOf(what, sources, new Date()) });
    return { ...NOTHING, rows, memories, ...talk };
  }

  #tidy(): Promise<Date | null> {
    return this.database.write('system', async (tx) => {
      const [, , [left]] = await Promise.all([
        tx.$executeRaw`DELETE FROM sealed_lines WHERE until <= now()`,
        tx.$executeRaw`DELETE FROM forget_orders WHERE finished_at < now() - ${KEEP_ORDERS_DAYS} * interval '1 day'`,
        tx.$queryRaw<{ next: Date | null }[]>`SELECT min(until) AS next FROM sealed_lines`,
      ]);
      return left?.next ?? null;
    });
  }
}

const NOTHING: ForgetResult = {
  ...{ rows: 0, points: 0, receipt: null, undoUntil: null, memories: [], lines: 0, talk: [] },
};
