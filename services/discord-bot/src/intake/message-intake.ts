import { setTimeout as wait } from 'node:timers/promises';
import { AppError, gatewayContract, isRetryable, type ErrorCode } from '@kith/contracts';
import { withCorrelationId, type Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { LiveReplies } from '../delivery/live-replies.js';
import type { Signs } from '../delivery/signs.js';
import type { Typing } from '../delivery/typing.js';
import type { InboundContent } from '../events/read-event.js';
import type { Received } from '../events/read-message.js';
import type { Cursors, Place } from '../places/cursors.js';
import { handOverWaitMs } from './hand-over-wait.js';

/** Ids of accepted messages that are kept in mind. */
const REMEMBERED = 2_000;
/** Tries of a message that meets a bug of ours: it may pass, but must not hold up its place for ever. */
const MAX_INTERNAL_ERRORS = 30;

/** Most messages that wait in memory. Beyond it nothing more is taken: it is read up at the next start. */
const MAX_WAITING = 10_000;

/**
 * Hands what was heard to the gateway, in the order of its place, and keeps trying for as long as the process lives.
 * Repeats are safe: the gateway knows a message by its Discord id. A place's cursor moves when all before is accepted,
 * so what a process could not hand over the next one reads up.
 */
export class MessageIntake {
  /** The last hand-over of each place: the next one waits for it. */
  private readonly tails = new Map<string, Promise<void>>();
  /** Places where something was not taken: their cursor stays where it is. */
  private readonly gaps = new Set<string>();
  private readonly draining = new AbortController();
  /** The latest messages that the gateway has, with their persons: it need not be asked about them again. */
  private readonly accepted = new Map<string, string>();
  private waiting = 0;
  /** Messages taken since `hold`; null when nothing is held. */
  private held: (() => void)[] | null = null;

  constructor(
    private readonly messenger: Messenger,
    private readonly cursors: Cursors,
    private readonly typing: Typing,
    /** Null where replies are not shown while they are written. */
    private readonly live: LiveReplies | null,
    private readonly signs: Pick<Signs, 'give'>,
    private readonly places: {
      /** Lists the threads of a channel in which something was heard. */
      threadsOf: (serverId: string, channelId: string) => Promise<string[]>;
      /** Has what was said in a deleted place deleted. */
      deletePlace: (serverId: string, channelId: string) => Promise<void>;
    },
    private readonly logger: Logger,
  ) {}

  /** Has what is taken from now on wait for `release`, so that what was missed is read up first. */
  hold(): void {
    this.held ??= [];
  }

  release(): void {
    const held = this.held ?? [];
    this.held = null;
    for (const take of held) take();
  }

  /**
   * Takes what was heard in a place, after all that was heard there before. Resolves when that is handed over or needs
   * nothing; with false when it has to be heard again.
   */
  take(where: Place, heard: InboundContent): Promise<boolean> {
    if (this.waiting >= MAX_WAITING) {
      this.gaps.add(where.channelId);
      this.logger.error(
        { channelId: where.channelId, waiting: this.waiting },
        'too many messages are waiting; this one will be read later',
      );
      return Promise.resolve(false);
    }
    const heardAt = Date.now();
    this.waiting += 1;
    return new Promise((resolve) => {
      const take = () =>
        this.queue(where.channelId, async () => {
          this.waiting -= 1;
          resolve(await this.handle(where, heard, heardAt));
        });
      if (this.held) this.held.push(take);
      else take();
    });
  }

  /**
   * Reads a place up, before anything that is held or heard there from now on. `read` must not throw; null when it
   * could not read, so that the place is read up another time.
   */
  takeFirst({ channelId, isDirect }: Place, read: () => Promise<InboundContent[] | null>): void {
    this.queue(channelId, async () => {
      const heardAt = Date.now();
      const missed = await read();
      if (missed === null) this.gaps.add(channelId);
      else this.gaps.delete(channelId);
      for (const heard of missed ?? []) await this.handle({ channelId, isDirect }, heard, heardAt);
    });
  }

  /** Lets each message that waits have one last try. */
  async drain(): Promise<void> {
    this.draining.abort();
    this.release();
    await Promise.all(this.tails.values());
  }

  private queue(channelId: string, work: () => Promise<void>): void {
    const tail = (this.tails.get(channelId) ?? Promise.resolve()).then(work);
    this.tails.set(channelId, tail);
    void tail.then(() => {
      if (this.tails.get(channelId) === tail) this.tails.delete(channelId);
    });
  }

  private async handle(where: Place, heard: InboundContent, heardAt: number): Promise<boolean> {
    const isDone = await this.handToGateway(where, heard, heardAt);
    if (heard.kind === 'revision' || heard.kind === 'place-deleted') return isDone;
    if (!isDone) this.gaps.add(where.channelId);
    if (!this.gaps.has(where.channelId)) {
      const personId = where.isDirect ? this.whose(heard) : null;
      this.cursors.advance({ ...where, personId, lastMessageId: heard.id });
    }
    return isDone;
  }

  /** Never throws. Returns whether the place's cursor may move past it. */
  private handToGateway(where: Place, heard: InboundContent, heardAt: number): Promise<boolean> {
    switch (heard.kind) {
      case 'nothing':
        return Promise.resolve(true);
      case 'revision':
        return this.persist(heard.revision.messageId, where, async () => {
          await this.messenger.ask(gatewayContract.revise, heard.revision);
        });
      case 'place-deleted':
        return this.deletePlace(where, heard.serverId);
      case 'message':
        return this.persist(heard.id, where, () => this.deliver(heard.request, heardAt));
    }
  }

  /** Has a place deleted, after its threads, each of them after what was heard there. */
  private deletePlace(where: Place, serverId: string): Promise<boolean> {
    const { channelId } = where;
    return this.persist(channelId, where, async () => {
      const threads = await this.places.threadsOf(serverId, channelId);
      const deleted = threads.map(
        (id) =>
          new Promise<boolean>((resolve) =>
            this.queue(id, async () =>
              resolve(await this.deletePlace({ channelId: id, isDirect: false }, serverId)),
            ),
          ),
      );
      if (!(await Promise.all(deleted)).every(Boolean))
        throw new AppError('unavailable', `threads of the channel ${channelId} are not deleted yet`);
      await this.places.deletePlace(serverId, channelId);
    });
  }

  private async deliver(request: Received, heardAt: number): Promise<void> {
    const { messageId, place, from } = request;
    // Discord repeats events, and what is read up may be heard as well.
    if (this.accepted.has(messageId)) return;
    const { duplicate, ...turn } = await this.messenger.ask(gatewayContract.receive, request);
    this.logger.info(
      { messageId, channelId: place.externalId, conversationId: turn.conversationId, duplicate },
      'message handed over',
    );
    this.remember(messageId, turn.personId);
    if (duplicate) return;
    if (request.answerable === 'not') {
      void this.signs.give({ channelId: place.externalId, messageId, userId: from.subject }, 'no permission');
      return;
    }
    this.typing.begin({ channelId: place.externalId, userId: from.subject }, turn, heardAt);
    const isNamed = place.kind === 'channel' && request.answerable === 'by-message';
    this.live?.await({
      ...turn,
      channelId: place.externalId,
      messageId,
      replyTo: place.kind === 'channel' && !isNamed ? messageId : null,
      named: isNamed ? from.subject : null,
    });
  }

  private whose(heard: InboundContent): string | null {
    return (heard.kind === 'message' ? this.accepted.get(heard.id) : undefined) ?? null;
  }

  private remember(messageId: string, personId: string): void {
    this.accepted.set(messageId, personId);
    const [oldest] = this.accepted.keys();
    if (oldest !== undefined && this.accepted.size > REMEMBERED) this.accepted.delete(oldest);
  }

  private persist(messageId: string, { channelId }: Place, work: () => Promise<void>): Promise<boolean> {
    return withCorrelationId(`discord-${messageId}`, async () => {
      const fields = { messageId, channelId };
      for (let attempt = 0; ; attempt += 1) {
        try {
          await work();
          return true;
        } catch (error) {
          const { code, message: reason } =
            error instanceof AppError ? error : new AppError('internal', String(error));
          if (!mayPass(code, attempt)) {
            this.logger.error({ ...fields, code, reason, attempt }, 'message refused');
            return true;
          }
          if (this.draining.signal.aborted) {
            this.logger.warn(
              { ...fields, code, reason, attempt },
              'stopping; the message is read at the next start',
            );
            return false;
          }
          if (attempt === 0) this.logger.warn({ ...fields, code, reason }, 'message not handed over yet');
          await wait(handOverWaitMs(attempt), null, { signal: this.draining.signal }).catch(() => undefined);
        }
      }
    });
  }
}

function mayPass(code: ErrorCode, attempt: number): boolean {
  return isRetryable(code) || (code === 'internal' && attempt < MAX_INTERNAL_ERRORS);
}
