import { AppError, gatewayContract } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { LiveReplies } from '../delivery/live-replies.js';
import type { Signs } from '../delivery/signs.js';
import type { Typing } from '../delivery/typing.js';
import type { InboundContent, InboundMessage } from '../events/read-event.js';
import type { Cursors, CursorPlace } from '../places/cursors.js';
import type { DiscordApi } from '../rest/discord-api.js';
import type { HandOverEnd, HandOver } from './hand-over.js';
import { inItsThread } from './in-its-thread.js';

/** Ids of accepted messages that are kept in mind. */
const REMEMBERED = 2_000;

/** Most messages that wait in memory. Beyond it nothing more is taken: the rest is read at the next start. */
const MAX_WAITING = 10_000;

/** Receives the end of a hand-over; false if the message must be received again. */
type OnHandedOver = (isDone: boolean) => void;

interface IntakeParts {
  messenger: Messenger;
  handOver: HandOver;
  cursors: Cursors;
  typing: Typing;
  /** Null where replies are not shown while they are written. */
  live: LiveReplies | null;
  signs: Pick<Signs, 'give'>;
  places: {
    /** Lists the threads of a channel in which something was heard. */
    threadsOf: (serverId: string, channelId: string) => Promise<string[]>;
    /** Orders the talk of a deleted place to be deleted. */
    deletePlace: (serverId: string, channelId: string) => Promise<void>;
  };
  api: Pick<DiscordApi, 'threadOf'>;
  logger: Logger;
}

/**
 * Hands what was heard to the gateway, in the order of its place, and keeps trying for as long as the process lives.
 * Repeats are safe: the gateway knows a message by its Discord id. A place's cursor moves when all before is accepted,
 * so the next process reads whatever this one could not hand over. A message that keeps meeting a bug is set aside:
 * it is retried by itself, and its place goes on without it.
 */
export class MessageIntake {
  /** The last hand-over of each place: the next one waits for it. */
  private readonly tails = new Map<string, Promise<void>>();
  /** Places with a message to the bot since they were last quiet: somebody waits for an answer. */
  private readonly awaited = new Set<string>();
  /** Places with a message that was not handed over, each with what stands for the latest: their cursor stays. */
  private readonly gaps = new Map<string, symbol>();
  /** The latest messages that the gateway has, with their persons: it need not be asked about them again. */
  private readonly accepted = new Map<string, string>();
  /** Messages that are set aside, with their place. Edits and deletions of one wait for it. */
  private readonly aside = new Map<string, string>();
  private waiting = 0;
  /** Messages taken since `hold`; null when nothing is held. */
  private held: (() => void)[] | null = null;
  /** True while no cursor may move. */
  private areCursorsKept = false;

  constructor(private readonly parts: IntakeParts) {}

  /**
   * Keeps every cursor where it is until `moveCursors`: an earlier process may have left places that it could not read,
   * and the catch-up begins where their cursors are.
   */
  keepCursors(): void {
    this.areCursorsKept = true;
  }

  /** Lets cursors move, now that the places to catch up are taken. */
  moveCursors(): void {
    this.areCursorsKept = false;
  }

  /**
   * Holds messages taken from now on until `release`, so that missed ones are read first. Keeps cursors as well: a process
   * that ends before the places to catch up are known hands over what it holds, and the next one reads what was missed.
   */
  hold(): void {
    this.held ??= [];
    this.keepCursors();
  }

  release(): void {
    const held = this.held ?? [];
    this.held = null;
    for (const take of held) take();
  }

  /**
   * Takes news of a place, after all earlier news there. Resolves once it is handed over or needs
   * nothing; with false if it must be received again.
   */
  take(where: CursorPlace, heard: InboundContent): Promise<boolean> {
    if (this.waiting >= MAX_WAITING) {
      this.openGap(where.channelId);
      this.parts.logger.error(
        { channelId: where.channelId, waiting: this.waiting },
        'too many messages are waiting; this one will be read later',
      );
      return Promise.resolve(false);
    }
    const heardAt = Date.now();
    this.waiting += 1;
    return new Promise((resolve) => {
      const tell: OnHandedOver = (isDone) => {
        this.waiting -= 1;
        resolve(isDone);
      };
      const take = () => {
        if (heard.kind === 'message') this.awaited.add(where.channelId);
        this.queue(where.channelId, () => this.handle(where, heard, heardAt, tell));
      };
      if (this.held) this.held.push(take);
      else take();
    });
  }

  /**
   * Catches up in a place, before anything held or heard there from now on. `read` must not throw; null if it
   * could not read, and the place is read another time. It may ask whether somebody there waits for an answer.
   */
  takeFirst(
    { channelId, isDirect }: CursorPlace,
    read: (isAwaited: () => boolean) => Promise<InboundContent[] | null>,
  ): void {
    // At once: news that is handed over before the read must not move the cursor that it begins at.
    this.openGap(channelId);
    this.queue(channelId, async () => {
      const heardAt = Date.now();
      const gap = this.gaps.get(channelId);
      const missed = await read(() => this.awaited.has(channelId));
      // One that opened during the read may be of something that the read came too early for.
      if (missed !== null && this.gaps.get(channelId) === gap) this.gaps.delete(channelId);
      for (const heard of missed ?? [])
        await this.handle({ channelId, isDirect }, heard, heardAt, () => undefined);
    });
  }

  private openGap(channelId: string): void {
    this.gaps.set(channelId, Symbol(channelId));
  }

  /** Lets each message that waits have one last try. */
  async drain(): Promise<void> {
    this.parts.handOver.stop();
    this.release();
    // Messages set aside meanwhile are queued again.
    while (this.tails.size > 0) await Promise.all(this.tails.values());
  }

  private queue(key: string, work: () => Promise<void>, after: () => void = () => undefined): void {
    const tail = (this.tails.get(key) ?? Promise.resolve()).then(work);
    this.tails.set(key, tail);
    void tail.then(() => {
      if (this.tails.get(key) === tail) for (const kept of [this.tails, this.awaited]) kept.delete(key);
      after();
    });
  }

  /** Hands over news, or sets it aside. Ends when its place may go on; `tell` receives the end of the news itself. */
  private async handle(where: CursorPlace, heard: InboundContent, heardAt: number, tell: OnHandedOver) {
    const ended = this.aside.has(idOf(where, heard))
      ? 'buggy'
      : await this.handToGateway(where, heard, heardAt);
    if (ended === 'buggy') this.setAside(where, heard, heardAt, tell);
    else this.end(where, heard, ended, tell);
  }

  /** Retries apart from the place, after earlier news of the same message. */
  private setAside(where: CursorPlace, heard: InboundContent, heardAt: number, tell: OnHandedOver): void {
    const id = idOf(where, heard);
    const key = `aside ${id}`;
    const isWanted = () => this.aside.has(id);
    let ended: HandOverEnd = 'done';
    this.aside.set(id, where.channelId);
    const work = async () => {
      ended = await this.handToGateway(where, heard, heardAt, isWanted);
    };
    this.queue(key, work, () => {
      if (!this.aside.has(id)) return tell(true);
      if (!this.tails.has(key)) this.aside.delete(id);
      this.end(where, heard, ended, tell);
    });
  }

  /** Moves the place's cursor, unless something there must be received again. */
  private end(where: CursorPlace, heard: InboundContent, ended: HandOverEnd, tell: OnHandedOver): void {
    const { channelId } = where;
    if (heard.kind === 'unclear') this.openGap(channelId);
    if (heard.kind === 'message' || heard.kind === 'nothing') {
      if (ended !== 'done') this.openGap(channelId);
      if (!this.gaps.has(channelId) && ![...this.aside.values()].includes(channelId)) {
        const personId = where.isDirect ? this.whose(heard) : null;
        const cursor = { ...where, personId, lastMessageId: heard.id };
        if (!this.areCursorsKept) this.parts.cursors.advance(cursor);
        // A DM of somebody new has no cursor to keep.
        else if (personId !== null) void this.parts.cursors.opened({ ...cursor, personId });
      }
    }
    tell(ended === 'done');
  }

  /** Never throws. */
  private handToGateway(
    { channelId }: CursorPlace,
    heard: InboundContent,
    heardAt: number,
    isWanted?: () => boolean,
  ): Promise<HandOverEnd> {
    switch (heard.kind) {
      case 'nothing':
      case 'unclear':
        return Promise.resolve('done');
      case 'revision': {
        const revise = async () =>
          void (await this.parts.messenger.ask(gatewayContract.revise, heard.revision));
        return this.parts.handOver.persist(heard.revision.messageId, channelId, revise, isWanted);
      }
      case 'place-deleted':
        return this.deletePlace(channelId, heard.serverId, isWanted);
      case 'message':
        return this.parts.handOver.persist(heard.id, channelId, () => this.deliver(heard, heardAt), isWanted);
    }
  }

  /** Orders a place to be deleted, after its threads; each thread after the news heard there. */
  private deletePlace(channelId: string, serverId: string, isWanted?: () => boolean): Promise<HandOverEnd> {
    const key = placeKey(channelId);
    // Messages set aside in a deleted place are no longer needed.
    for (const [id, place] of this.aside) if (place === channelId && id !== key) this.aside.delete(id);
    const work = async () => {
      const threads = await this.parts.places.threadsOf(serverId, channelId);
      const deleteOne = (id: string) =>
        new Promise<HandOverEnd>((resolve) =>
          this.queue(id, async () => resolve(await this.deletePlace(id, serverId))),
        );
      const deleted = await Promise.all(threads.map(deleteOne));
      if (!deleted.every((ended) => ended === 'done'))
        throw new AppError('unavailable', `threads of the channel ${channelId} are not deleted yet`);
      await this.parts.places.deletePlace(serverId, channelId);
    };
    return this.parts.handOver.persist(key, channelId, work, isWanted);
  }

  private async deliver(heard: InboundMessage, heardAt: number): Promise<void> {
    const { messageId, place, from } = heard.request;
    // Discord repeats events, and a message may come by event and by catch-up.
    if (this.accepted.has(messageId)) return;
    const request = heard.mayBeInThread ? await inItsThread(heard.request, this.parts.api) : heard.request;
    const { duplicate, ...turn } = await this.parts.messenger.ask(gatewayContract.receive, request);
    this.parts.handOver.noteSuccess();
    this.parts.logger.info(
      { messageId, channelId: place.externalId, conversationId: turn.conversationId, duplicate },
      'message handed over',
    );
    this.remember(messageId, turn.personId);
    if (duplicate) return;
    if (request.answerable === 'not') {
      void this.parts.signs.give(
        { channelId: place.externalId, messageId, userId: from.subject },
        'no permission',
      );
      return;
    }
    this.parts.typing.begin({ channelId: place.externalId, userId: from.subject }, turn, heardAt);
    const isNamed = place.kind === 'channel' && request.answerable === 'by-message';
    this.parts.live?.await({
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
}

/** Names a message, or a deleted place: a thread has the id of the message that it began with. */
function idOf({ channelId }: CursorPlace, heard: InboundContent): string {
  if (heard.kind === 'place-deleted') return placeKey(channelId);
  return heard.kind === 'revision' ? heard.revision.messageId : heard.id;
}

function placeKey(channelId: string): string {
  return `place-${channelId}`;
}
