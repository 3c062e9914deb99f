import { AppError, ChatEvent, gatewayContract } from '@kith/contracts';
import type { Database } from '@kith/database';
import type { Broadcasts, Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { DiscordApi } from '../connection/discord-api.js';
import { chunkMessage } from './chunk-message.js';
import { decideLiveEdit, type LiveState } from './decide-live-edit.js';
import { nonceOf } from './nonce-of.js';

/** Where a message was said that may be answered soon. */
export interface AwaitedReply {
  conversationId: string;
  channelId: string;
  isDirect: boolean;
  messageId: string;
}

export interface LiveReply {
  turnId: string;
  channelId: string;
  replyTo: string | null;
  messageId: string | null;
}

const Payload = z.object({ event: ChatEvent });
const LOOK_EVERY_MS = 250;
/** Longer than the longest turn. */
const AWAITED_MS = 180_000;
const MOST_AWAITED = 2_000;
const CLEAR_UP_EVERY_MS = 60_000;
/** By then the delivery or the end of the turn has settled it, unless a process died. */
const STALE_MS = 180_000;
const GIVEN_UP_MS = 15 * 60_000;
/** Behind what is shown, so that everybody sees there is more to come. */
const CURSOR = ' …';
/** Chunk numbers are small: this one is no chunk's. */
const LIVE_NONCE = 46_000;

interface Writing extends LiveState {
  reply: LiveReply;
  isClosed: boolean;
  /** What is on its way to Discord, one after the other. */
  work: Promise<void>;
}

/** The nonce of a turn's live message: each try of the turn has the same. */
export function liveNonceOf(turnId: string): string {
  return nonceOf(turnId, LIVE_NONCE);
}

/**
 * Shows replies while they are written, by editing one message. It is noted in Postgres before it is sent, so that
 * the delivery of the finished reply, by whichever process, makes that very message the first of its chunks, and a
 * turn that ends without a reply takes it back.
 */
export class LiveReplies {
  readonly #awaited = new Map<string, { awaited: AwaitedReply; until: number }>();
  /** Conversations that are listened to: once, for however many messages. */
  readonly #heard = new Map<string, { messages: number; stop: Promise<() => void> }>();
  readonly #writing = new Map<string, Writing>();
  #timers: NodeJS.Timeout[] = [];

  constructor(
    private readonly broadcasts: Broadcasts,
    private readonly messenger: Messenger,
    private readonly database: Database,
    private readonly api: Pick<DiscordApi, 'createMessage' | 'editMessage' | 'deleteMessage'>,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.#timers = [
      setInterval(() => this.#look(), LOOK_EVERY_MS).unref(),
      setInterval(() => void this.#clearUp(), CLEAR_UP_EVERY_MS).unref(),
    ];
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    for (const [messageId] of this.#awaited) this.#forget(messageId);
    for (const writing of this.#writing.values()) writing.isClosed = true;
    await Promise.all([...this.#writing.values()].map(({ work }) => work));
  }

  /** A message was accepted: its turn may be worth watching. */
  await(awaited: AwaitedReply): void {
    const { conversationId, messageId } = awaited;
    if (this.#awaited.size >= MOST_AWAITED || this.#awaited.has(messageId)) return;
    this.#awaited.set(messageId, { awaited, until: performance.now() + AWAITED_MS });
    const heard = this.#heard.get(conversationId);
    if (heard) heard.messages += 1;
    else this.#heard.set(conversationId, { messages: 1, stop: this.#listen(conversationId) });
  }

  /** Stops writing a turn's live message. Returns it, when there may be one in the channel. */
  async settle(turnId: string): Promise<LiveReply | null> {
    const writing = this.#writing.get(turnId);
    if (writing) {
      writing.isClosed = true;
      await writing.work;
      this.#writing.delete(turnId);
    }
    return this.database.asSystem((tx) => tx.discordLiveReply.findUnique({ where: { turnId } }));
  }

  /** The live message has become the reply, or is gone. */
  async done(turnId: string): Promise<void> {
    await this.database.asSystem((tx) => tx.discordLiveReply.deleteMany({ where: { turnId } }));
  }

  /** The turn ended without a reply: what was shown of it is taken back. */
  async takeBack(turnId: string): Promise<void> {
    const live = await this.settle(turnId);
    if (!live) return;
    if (live.messageId) await this.api.deleteMessage(live.channelId, live.messageId);
    await this.done(turnId);
  }

  #listen(conversationId: string): Promise<() => void> {
    return this.broadcasts
      .subscribe(`conversation.${conversationId}`, (payload) => this.#hear(payload))
      .then((unsubscribe) => () => void unsubscribe())
      .catch(() => () => undefined); // without Redis nothing is shown before it is whole
  }

  /** What a process left behind that died, and whose turn came to no reply. Never throws: the next round is near. */
  async #clearUp(): Promise<void> {
    try {
      const stale = await this.database.asSystem((tx) =>
        tx.discordLiveReply.findMany({
          where: { startedAt: { lt: new Date(Date.now() - STALE_MS) } },
          take: 50,
        }),
      );
      for (const { turnId, startedAt } of stale) {
        const reply = await this.#replyOf(turnId);
        const isOld = Date.now() - startedAt.getTime() > GIVEN_UP_MS;
        if (reply === 'none' || (reply === 'unknown' && isOld)) await this.takeBack(turnId);
        else if (isOld) await this.done(turnId);
      }
    } catch (error) {
      this.logger.warn({ reason: String(error).slice(0, 200) }, 'live messages not cleared up yet');
    }
  }

  async #replyOf(turnId: string): Promise<'some' | 'none' | 'unknown'> {
    try {
      const { messages } = await this.messenger.ask(gatewayContract.readTurn, { turnId });
      return messages.some(({ role }) => role === 'companion') ? 'some' : 'none';
    } catch (error) {
      // It has not ended yet.
      if (error instanceof AppError && error.code === 'not_found') return 'unknown';
      throw error;
    }
  }

  #hear(payload: unknown): void {
    const parsed = Payload.safeParse(payload);
    if (!parsed.success) return;
    const { event } = parsed.data;
    if (event.type === 'turn') this.#begin(event.turnId, event.messageIds ?? []);
    else if (event.type === 'token') this.#add(event.turnId, event.text);
    else if (event.type === 'restart') this.#restart(event.turnId);
    else if (event.type === 'done') {
      const writing = this.#writing.get(event.turn.turnId);
      if (writing) writing.isClosed = true;
      for (const messageId of event.turn.messageIds ?? []) this.#forget(messageId);
    }
  }

  #begin(turnId: string, messageIds: readonly string[]): void {
    const last = messageIds.at(-1);
    const awaited = last === undefined ? undefined : this.#awaited.get(last)?.awaited;
    if (!awaited || this.#writing.has(turnId)) return;
    const { channelId, isDirect, messageId } = awaited;
    this.#writing.set(turnId, {
      reply: { turnId, channelId, replyTo: isDirect ? null : messageId, messageId: null },
      text: '',
      shown: null,
      firstTokenAt: Number.POSITIVE_INFINITY,
      lastShownAt: 0,
      isClosed: false,
      work: Promise.resolve(),
    });
  }

  #add(turnId: string, text: string): void {
    const writing = this.#writing.get(turnId);
    if (!writing) return;
    if (writing.text === '') writing.firstTokenAt = Math.min(writing.firstTokenAt, performance.now());
    writing.text += text;
  }

  #restart(turnId: string): void {
    const writing = this.#writing.get(turnId);
    if (writing) writing.text = '';
  }

  #look(): void {
    const now = performance.now();
    for (const [messageId, { until }] of this.#awaited) if (until < now) this.#forget(messageId);
    for (const [turnId, writing] of this.#writing) {
      if (writing.isClosed) {
        void writing.work.then(() => this.#writing.delete(turnId));
      } else if (decideLiveEdit(writing, now)) {
        const [content = ''] = chunkMessage(writing.text.slice(0, 1_900));
        if (content === '') continue;
        Object.assign(writing, { shown: writing.text, lastShownAt: now });
        writing.work = writing.work.then(() => this.#show(writing, content + CURSOR));
      }
    }
  }

  /** Never throws: what can't be shown now is delivered when it is whole. */
  async #show(writing: Writing, content: string): Promise<void> {
    if (writing.isClosed) return;
    const { turnId, channelId, replyTo, messageId } = writing.reply;
    try {
      if (messageId !== null) return await this.api.editMessage(channelId, messageId, content);
      await this.database.asSystem((tx) =>
        tx.discordLiveReply.upsert({
          where: { turnId },
          create: { turnId, channelId, replyTo },
          update: {},
        }),
      );
      const sent = await this.api.createMessage(channelId, {
        content,
        nonce: liveNonceOf(turnId),
        replyTo: replyTo ?? undefined,
      });
      writing.reply.messageId = sent;
      await this.database.asSystem((tx) =>
        tx.discordLiveReply.update({ where: { turnId }, data: { messageId: sent } }),
      );
    } catch (error) {
      writing.isClosed = true;
      this.logger.warn(
        { turnId, reason: String(error).slice(0, 200) },
        'reply not shown while it is written',
      );
    }
  }

  #forget(messageId: string): void {
    const conversationId = this.#awaited.get(messageId)?.awaited.conversationId;
    this.#awaited.delete(messageId);
    const heard = conversationId === undefined ? undefined : this.#heard.get(conversationId);
    if (!heard || conversationId === undefined) return;
    heard.messages -= 1;
    if (heard.messages > 0) return;
    this.#heard.delete(conversationId);
    void heard.stop.then((stop) => stop());
  }
}
