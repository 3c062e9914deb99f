import { setTimeout as sleep } from 'node:timers/promises';
import {
  AppError,
  discordContract,
  gatewayContract,
  memoryContract,
  outreachContract,
  personalityContract,
  type ErasureView,
  type Holdings,
  type PersonHoldings,
} from '@kith/contracts';
import type { Broadcasts, Messenger } from '@kith/messaging';
import { oneByOne } from '@kith/messaging';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Interruptions } from '../turn/interruptions.js';
import type { TurnEvents } from '../turn/turn-events.js';
import { turnIdOf } from '../turn/turn-id.js';
import { viewErasure, type DroppedMessage, type ErasureRecords } from './erasure-records.js';

/** Who else keeps rows of people, and the question to each. */
const HOLDERS = {
  discord: discordContract.erase,
  outreach: outreachContract.erase,
  personality: personalityContract.erase,
  memory: memoryContract.erase,
} as const;
type Holder = keyof typeof HOLDERS;

const CHANNEL = 'people.erased';
const Notice = z.object({ personId: z.string() });

/** Most erasures take less; whoever waits longer sees later that it is finished. */
const WAIT_MS = 5_000;
const LOOK_EVERY_MS = 100;
/** A look is for somebody who waits in front of a question. */
const LOOK_TIMEOUT_MS = 3_000;
/** Younger ones are simply under way. */
const OVERDUE_MS = 10_000;

export interface ErasureParts {
  records: ErasureRecords;
  messenger: Messenger;
  broadcasts: Broadcasts;
  events: TurnEvents;
  interruptions: Interruptions;
  /** What keeps somebody in mind, and lets go of them. */
  minds: { forget(personId: string): void }[];
  /** The operator's own key outlives its person: it stands for somebody new then. */
  restoreOperatorKey: () => Promise<void>;
  logger: Logger;
}

/**
 * Erases people across the suite: first the tombstone, after which nothing is written for them anywhere, then each
 * service's part, until all hold nothing. What was counted stays as the receipt.
 */
export class Erasures {
  constructor(private readonly parts: ErasureParts) {}

  /** Hears of those whom other replicas erase, while Redis is there. */
  listen(): void {
    this.parts.broadcasts.hear(CHANNEL, (payload) => {
      const notice = Notice.safeParse(payload);
      if (notice.success) this.#letGo(notice.data.personId);
    });
  }

  /** What there is of a person, anywhere. @throws AppError `not_found` */
  async look(personId: string): Promise<PersonHoldings> {
    const stores: Record<string, Holdings> = { gateway: await this.parts.records.holdings(personId) };
    const silent: string[] = [];
    await Promise.all(
      (Object.keys(HOLDERS) as Holder[]).map(async (holder) => {
        const held = await this.#ask(holder, personId, true, LOOK_TIMEOUT_MS).catch(() => null);
        if (held === null) silent.push(holder);
        else stores[holder] = held;
      }),
    );
    return { personId, stores, silent };
  }

  /**
   * Erases a person; waits a while for the end of it. The same again answers how far it is.
   * @throws AppError `not_found` for somebody there never was
   */
  async order(personId: string, askedBy: ErasureView['askedBy']): Promise<ErasureView> {
    const { records, messenger, logger } = this.parts;
    const dropped = await records.begin(personId, askedBy);
    if (dropped !== null) {
      logger.info({ personId, askedBy, droppedMessages: dropped.length }, 'erasure begun');
      this.#letGo(personId);
      void this.parts.broadcasts.publish(CHANNEL, { personId }).catch(() => undefined);
      this.#tell(personId, dropped);
      await this.parts.restoreOperatorKey();
    }
    await messenger.enqueue(gatewayContract.erase, { personId }).catch((error: unknown) => {
      logger.warn({ err: error, personId }, 'erasure not ordered over Redis, the sweeper will');
    });
    return this.#whenFinished(personId);
  }

  /**
   * Has every service that is not done yet erase its part. Safe to repeat and to be broken off.
   * @throws AppError `unavailable` while one does not answer; the others are done all the same
   */
  async carryOut(personId: string): Promise<void> {
    const { records, messenger, logger } = this.parts;
    const erasure = await records.find(personId);
    if (!erasure || erasure.finishedAt !== null) return;
    const left = (Object.keys(HOLDERS) as Holder[]).filter((holder) => !erasure.done.includes(holder));
    await records.eraseRest(personId);
    await oneByOne(left, (holder) => this.#eraseAt(holder, personId));
    await records.finish(personId, new Date());
    messenger.scrubDisk();
    const { stores } = await this.view(personId);
    logger.info({ personId, askedBy: erasure.askedBy, stores }, 'person erased');
  }

  /** Orders again what was broken off. Answers how many. */
  async resume(now: Date): Promise<number> {
    const open = await this.parts.records.open(new Date(now.getTime() - OVERDUE_MS));
    for (const personId of open) await this.parts.messenger.enqueue(gatewayContract.erase, { personId });
    return open.length;
  }

  /** @throws AppError `not_found` */
  async view(personId: string): Promise<ErasureView> {
    const erasure = await this.parts.records.find(personId);
    if (!erasure) throw new AppError('not_found', `no erasure of ${personId}`);
    return viewErasure(erasure);
  }

  async list(
    limit: number,
    cursor: string | undefined,
  ): Promise<{ erasures: ErasureView[]; nextCursor: string | null }> {
    const rows = await this.parts.records.page(limit + 1, cursor);
    const page = rows.slice(0, limit);
    return {
      erasures: page.map(viewErasure),
      nextCursor: rows.length > limit ? page.at(-1)!.erasedId : null,
    };
  }

  async #eraseAt(holder: Holder, personId: string): Promise<void> {
    const { records } = this.parts;
    await records.noteCounts(personId, holder, await this.#ask(holder, personId, true));
    const left = await this.#ask(holder, personId, false);
    const stores = Object.keys(left).filter((store) => left[store] !== 0);
    if (stores.length > 0) throw new AppError('unavailable', `${holder} still holds ${stores.join(', ')}`);
    await records.noteDone(personId, holder);
  }

  async #ask(holder: Holder, personId: string, preview: boolean, timeoutMs?: number): Promise<Holdings> {
    const request = { personId, preview };
    const options = timeoutMs === undefined ? {} : { timeoutMs };
    return (await this.parts.messenger.ask(HOLDERS[holder], request, options)).holdings;
  }

  async #whenFinished(personId: string): Promise<ErasureView> {
    const deadline = performance.now() + WAIT_MS;
    for (;;) {
      const view = await this.view(personId);
      if (view.finishedAt !== null || performance.now() > deadline) return view;
      await sleep(LOOK_EVERY_MS);
    }
  }

  #letGo(personId: string): void {
    for (const mind of this.parts.minds) mind.forget(personId);
  }

  /** Nobody waits in vain: each turn that will not be taken has ended, and its doors hear so. */
  #tell(personId: string, dropped: DroppedMessage[]): void {
    const { events, interruptions, messenger } = this.parts;
    for (const [conversationId, messages] of Map.groupBy(dropped, (message) => message.conversationId)) {
      const { inboxId, companionId, door, origin } = messages[0]!;
      const turnId = turnIdOf(conversationId, inboxId);
      const ended = { turnId, conversationId, companionId, outcome: 'dropped' as const };
      interruptions.tell({ conversationId, personId }, 'stopped');
      events.publish(conversationId, {
        inboxIds: messages.map((message) => String(message.inboxId)),
        event: {
          type: 'done',
          turn: {
            ...ended,
            messageIds: messages.map(({ externalId }) => externalId),
            ...{ reason: 'erased', reply: null, model: null, rehearsal: false },
            ...{ degraded: [], recalled: [], mood: null, tookMs: 0 },
          },
        },
      });
      const endedAt = new Date().toISOString();
      // For what shows a reply while it is written: it is taken back.
      void messenger
        .announce(gatewayContract.turnEnded, { ...ended, personId, door, origin, endedAt })
        .catch(() => undefined);
    }
  }
}
