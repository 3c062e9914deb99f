import { setTimeout as sleep } from 'node:timers/promises';
import {
  AppError,
  discordContract,
  type ErasureView,
  firstOf,
  gatewayContract,
  type Holdings,
  memoryContract,
  type NamedReason,
  outreachContract,
  personalityContract,
  type PersonHoldings,
  writeTimeCursor,
} from '@kith/contracts';
import { pageOf } from '@kith/database';
import { oneByOne, type Broadcasts, type Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { OperatorKey } from '../people/operator-key.js';
import { announceEnd } from '../signals/announce-end.js';
import type { TurnEvents } from '../signals/turn-events.js';
import type { Interruptions } from '../signals/interruptions.js';
import type { MadeForOthers } from '../redaction/delete-shared-lines.js';
import { turnIdOf } from '../signals/turn-id-of.js';
import { viewErasure, type DroppedMessage, type ErasureRecords } from './erasure-records.js';
import { OVERDUE_MS } from '../forgetting/resume-rounds.js';

/** Services that hold rows of people, with the request that has each erase its part. */
const HOLDERS = {
  discord: discordContract.erase,
  outreach: outreachContract.erase,
  personality: personalityContract.erase,
  memory: memoryContract.erase,
} as const;
type Holder = keyof typeof HOLDERS;
const HOLDER_NAMES = Object.keys(HOLDERS) as Holder[];

/** Broadcast that tells replicas of a person who was erased. */
const CHANNEL = 'people.erased';
const Notice = z.object({ personId: z.string() });

/** Time for which an order waits for its end. Most end sooner; of the others the receipt tells it later. */
const WAIT_MS = 5_000;
/** Pause between two reads of the receipt: an erasure takes some tenths of a second. */
const POLL_MS = 100;
/** Time for a service to count: the person is about to be asked whether they mean it. */
const COUNTING = { timeoutMs: 3_000 };

interface ErasureParts {
  records: ErasureRecords;
  messenger: Messenger;
  broadcasts: Broadcasts;
  forgetting: MadeForOthers;
  events: TurnEvents;
  interruptions: Interruptions;
  /** Caches that may hold something of a person. */
  caches: readonly { forget(personId: string): void }[];
  /** Gives the operator's own key, which outlives its person, to somebody new. */
  operatorKey: Pick<OperatorKey, 'ensure'>;
  logger: Logger;
}

/**
 * Erases people across the suite: first the tombstone, after which nothing is written for them anywhere, then each
 * service's part, until all hold nothing. What was counted stays as the receipt.
 */
export class Erasures {
  constructor(private readonly parts: ErasureParts) {}

  /** Drops from the caches people whom other replicas erase, while Redis is there. */
  listen(): void {
    this.parts.broadcasts.hear(CHANNEL, (payload) => {
      const notice = Notice.safeParse(payload);
      if (notice.success) this.letGo(notice.data.personId);
    });
  }

  /** Counts what each service holds of a person. @throws AppError `not_found` */
  async holdings(personId: string): Promise<PersonHoldings> {
    const stores: Record<string, Holdings> = { gateway: await this.parts.records.holdings(personId) };
    const silent: string[] = [];
    await Promise.all(
      HOLDER_NAMES.map(async (holder) => {
        const held = await this.ask(holder, personId, true, COUNTING).catch(() => null);
        if (held === null) silent.push(holder);
        else stores[holder] = held;
      }),
    );
    return { personId, stores, silent };
  }

  /**
   * Erases a person, and waits a while for the end of it. Asked for again, it answers how far it is.
   * @throws AppError `not_found` for somebody there never was
   */
  async order(personId: string, askedBy: ErasureView['askedBy']): Promise<ErasureView> {
    const { records, messenger, logger } = this.parts;
    const dropped = await records.begin(personId, askedBy);
    if (dropped !== null) {
      logger.info({ personId, askedBy, droppedMessages: dropped.length }, 'an erasure has begun');
      this.letGo(personId);
      void this.parts.broadcasts.publish(CHANNEL, { personId }).catch(() => undefined);
      this.tell(personId, dropped);
      await this.parts.operatorKey.ensure();
    }
    await messenger.enqueue(gatewayContract.erase, { personId }).catch((error: unknown) => {
      logger.warn(
        { err: error, personId },
        'an erasure could not be queued in Redis; the sweeper will order it',
      );
    });
    return this.whenFinished(personId);
  }

  /**
   * Makes every service that is not done yet erase its part. Safe to repeat and to be broken off.
   * @throws AppError `unavailable` while one does not answer; the others are done all the same
   */
  async carryOut(personId: string): Promise<void> {
    const { records, messenger, logger } = this.parts;
    const erasure = await records.find(personId);
    if (!erasure || erasure.finishedAt !== null) return;
    const left = HOLDER_NAMES.filter((holder) => !erasure.done.includes(holder));
    const eraseHere = () => records.eraseRest(personId, this.parts.forgetting);
    await oneByOne([eraseHere, ...left.map((holder) => () => this.eraseAt(holder, personId))], (erase) =>
      erase(),
    );
    await records.finish(personId, new Date());
    messenger.scrubDisk();
    const { stores } = await this.view(personId);
    logger.info({ personId, askedBy: erasure.askedBy, stores }, 'a person was erased');
  }

  /** Orders interrupted erasures again. Returns how many. */
  async resume(): Promise<number> {
    const open = await this.parts.records.open(OVERDUE_MS);
    for (const personId of open) await this.parts.messenger.enqueue(gatewayContract.erase, { personId });
    return open.length;
  }

  /** @throws AppError `not_found` */
  async view(personId: string): Promise<ErasureView> {
    const erasure = await this.parts.records.find(personId);
    if (!erasure) throw new AppError('not_found', `no erasure of ${personId}`);
    return viewErasure(erasure);
  }

  async list(limit: number, cursor: string | undefined) {
    const rows = await this.parts.records.page(limit + 1, cursor);
    const { page, nextCursor } = pageOf(rows, limit, ({ askedAt, erasedId }) =>
      writeTimeCursor({ at: askedAt, id: erasedId }),
    );
    return { erasures: page.map(viewErasure), nextCursor };
  }

  private async eraseAt(holder: Holder, personId: string): Promise<void> {
    const { records } = this.parts;
    await records.noteCounts(personId, holder, await this.ask(holder, personId, true));
    const left = await this.ask(holder, personId, false);
    const stores = Object.keys(left).filter((store) => left[store] !== 0);
    if (stores.length > 0) throw new AppError('unavailable', `${holder} still holds ${stores.join(', ')}`);
    await records.noteDone(personId, holder);
  }

  private async ask(holder: Holder, personId: string, preview: boolean, options?: { timeoutMs: number }) {
    const { messenger } = this.parts;
    return (await messenger.ask(HOLDERS[holder], { personId, preview }, options)).holdings;
  }

  private async whenFinished(personId: string): Promise<ErasureView> {
    const deadline = performance.now() + WAIT_MS;
    for (;;) {
      const view = await this.view(personId);
      if (view.finishedAt !== null || performance.now() > deadline) return view;
      await sleep(POLL_MS);
    }
  }

  private letGo(personId: string): void {
    for (const cache of this.parts.caches) cache.forget(personId);
  }

  /** Tells the doors that the turns of dropped messages have ended, so that nobody waits in vain. */
  private tell(personId: string, dropped: DroppedMessage[]): void {
    const { events, interruptions, messenger } = this.parts;
    for (const [conversationId, messages] of Map.groupBy(dropped, (message) => message.conversationId)) {
      const { inboxId, companionId, door, origin } = firstOf(messages);
      const turnId = turnIdOf(conversationId, inboxId);
      const ended = { turnId, conversationId, companionId, outcome: 'dropped' as const };
      interruptions.interrupt({ conversationId, personId }, 'stopped');
      events.publish(conversationId, {
        door,
        inboxIds: messages.map((message) => String(message.inboxId)),
        event: {
          type: 'done',
          turn: {
            ...ended,
            messageIds: messages.map(({ externalId }) => externalId),
            reason: 'erased' satisfies NamedReason,
            reply: null,
            model: null,
            rehearsal: false,
            degraded: [],
            recalled: [],
            mood: null,
            tookMs: 0,
          },
        },
      });
      const endedAt = new Date().toISOString();
      // A door that shows a reply while it is written takes it back.
      void announceEnd(messenger, { ...ended, personId, door, origin, endedAt }).catch(() => undefined);
    }
  }
}
