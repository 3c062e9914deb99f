import { ChatEvent, gatewayContract } from '@kith/contracts';
import type { Broadcasts, Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { DiscordApi, PostedMessage } from '../connection/discord-api.js';
import { snowflakeAt } from '../connection/plan-catch-up.js';
import { MAX_CHUNK_CHARACTERS } from './chunk-message.js';
import { decideLiveEdit, type LiveState } from './decide-live-edit.js';
import { findSent } from './find-sent.js';
import type { LiveNote, LiveNotes, LiveTurn } from './live-notes.js';
import { isNonceKnown, nonceOf, sentSince } from './nonce-of.js';

/** Where a message was said that may be answered soon. */
export interface AwaitedReply {
  personId: string;
  conversationId: string;
  channelId: string;
  messageId: string;
  /** Does the reply refer to the message? Not in a DM, nor where that needs a permission the bot lacks. */
  refersToIt: boolean;
}

const Payload = z.object({ event: ChatEvent });
const LOOK_EVERY_MS = 250;
/** Longer than the longest turn. */
const AWAITED_MS = 180_000;
const MOST_AWAITED = 2_000;
const CLEAR_UP_EVERY_MS = 10_000;
/** By then the delivery or the end of the turn has closed it, unless a process died. */
const STALE_MS = 180_000;
const GIVEN_UP_MS = 60 * 60_000;
/** Longer than a reply is tried: until then the note says which message is its first chunk. */
const KEEP_CLOSED_MS = 2 * 60 * 60_000;
/** Twice what Discord takes on a bad day; the next edit comes soon. Until then a closed reply's words are needed. */
const EDIT_WITHIN_MS = 20_000;
/** Clocks of two machines differ, and what people forget is gone within a minute. */
const KEEP_WORDS_MS = EDIT_WITHIN_MS + 5_000;
/** Behind what is shown, so that everybody sees there is more to come. */
const CURSOR = ' …';
/** Chunk numbers are small: this one is no chunk's. */
const LIVE_NONCE = 46_000;

interface Writing extends LiveState {
  reply: Pick<LiveNote, 'turnId' | 'personId' | 'channelId' | 'replyTo' | 'messageId'>;
  /** The last of the messages it answers. */
  answers: string;
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
  /** Deliveries that are to be tried again, with their channels. */
  readonly #heldUp = new Map<string, string>();
  #timers: NodeJS.Timeout[] = [];

  constructor(
    private readonly broadcasts: Broadcasts,
    private readonly messenger: Messenger,
    private readonly notes: LiveNotes,
    private readonly api: Pick<
      DiscordApi,
      'createMessage' | 'editMessage' | 'deleteMessage' | 'ownMessagesAfter'
    >,
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

  /** Nothing is begun in a channel whose earlier replies are on their way: it would overtake them. */
  holdUp(outboxId: string, channelId: string): void {
    this.#heldUp.set(outboxId, channelId);
  }

  /** The delivery has come to an end, whichever. */
  letGo(outboxId: string): void {
    this.#heldUp.delete(outboxId);
  }

  /**
   * Stops writing a turn's live message, in whichever process. Returns its id, when there is one in the channel: what
   * it says is still to be made `finalText`, the first chunk of the reply.
   */
  async close(turn: LiveTurn, channelId: string, finalText: string): Promise<string | null> {
    await this.#stopWriting(turn.turnId);
    const note = await this.notes.close(turn, channelId, finalText);
    return note.channelId === channelId ? this.#find(note, finalText) : null;
  }

  /** The turn ended without a reply, or its reply can't be sent: what was shown of it is taken back. */
  async takeBack(turnId: string): Promise<void> {
    await this.#stopWriting(turnId);
    const open = await this.notes.read(turnId);
    if (!open) return;
    const note = await this.notes.close(open, open.channelId, null);
    const messageId = await this.#find(note, null);
    if (messageId !== null) await this.api.deleteMessage(note.channelId, messageId);
    await this.notes.gone(turnId);
  }

  async #stopWriting(turnId: string): Promise<void> {
    const writing = this.#writing.get(turnId);
    if (!writing) return;
    writing.isClosed = true;
    await writing.work;
    this.#writing.delete(turnId);
  }

  /**
   * The live message in its channel. Where nobody noted whether it arrived, one that is to become a reply is asked for
   * by its nonce, which makes it where there is none; else it is looked for by what it may say.
   */
  async #find(note: LiveNote, finalText: string | null): Promise<string | null> {
    const { turnId, channelId, opening, replyTo, startedAt } = note;
    if (note.messageId !== null || opening === null) return note.messageId;
    const chunk = { content: opening, nonce: liveNonceOf(turnId), replyTo: replyTo ?? undefined };
    let id: string | undefined;
    if (finalText !== null && opening !== '' && isNonceKnown(startedAt, Date.now())) {
      id = await this.api.createMessage(channelId, chunk);
    } else {
      const posted = await this.api.ownMessagesAfter(channelId, snowflakeAt(sentSince(startedAt)));
      id = findAny(chunk, finalText === null ? [opening] : [opening, finalText], posted)?.id;
    }
    if (id === undefined) {
      await this.notes.gone(turnId);
      return null;
    }
    await this.notes.arrived(turnId, id);
    return id;
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
      const now = Date.now();
      await this.notes.dropWords(new Date(now - KEEP_WORDS_MS));
      await this.notes.dropClosed(new Date(now - KEEP_CLOSED_MS));
      for (const { turnId, startedAt } of await this.notes.openSince(new Date(now - STALE_MS))) {
        const reply = await this.#replyOf(turnId);
        // A reply that exists has a delivery, which closes it.
        if (reply === 'none' || now - startedAt.getTime() > GIVEN_UP_MS) await this.takeBack(turnId);
      }
    } catch (error) {
      this.logger.warn({ reason: String(error).slice(0, 200) }, 'live messages not cleared up yet');
    }
  }

  async #replyOf(turnId: string): Promise<'some' | 'none' | 'unknown'> {
    const { turns } = await this.messenger.ask(gatewayContract.readTurns, { turnIds: [turnId] });
    const [turn] = turns;
    // It has not ended yet, or is gone with its person.
    if (!turn) return 'unknown';
    return turn.messages.some(({ role }) => role === 'companion') ? 'some' : 'none';
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
    const writing = this.#writing.get(turnId);
    if (writing) {
      // Its worker died, and another began anew; or it answers a newer message as well, and belongs below that one.
      if (writing.answers === last) writing.text = '';
      else void this.takeBack(turnId).catch((error: unknown) => this.#cannotShow(turnId, error));
      return;
    }
    if (!awaited) return;
    const { personId, channelId, messageId, refersToIt } = awaited;
    this.#writing.set(turnId, {
      reply: { turnId, personId, channelId, replyTo: refersToIt ? messageId : null, messageId: null },
      answers: messageId,
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
    const heldUp = new Set(this.#heldUp.values());
    for (const [messageId, { until }] of this.#awaited) if (until < now) this.#forget(messageId);
    for (const [turnId, writing] of this.#writing) {
      if (writing.isClosed) {
        void writing.work.then(() => this.#writing.delete(turnId));
        continue;
      }
      if (writing.shown === null && heldUp.has(writing.reply.channelId)) continue;
      const content = decideLiveEdit(writing, now);
      if (content === null) continue;
      Object.assign(writing, { shown: content, lastShownAt: now });
      const fits = content.length + CURSOR.length <= MAX_CHUNK_CHARACTERS;
      writing.work = writing.work.then(() => this.#show(writing, fits ? content + CURSOR : content));
    }
  }

  /** Never throws: what can't be shown now is delivered when it is whole. */
  async #show(writing: Writing, content: string): Promise<void> {
    if (writing.isClosed) return;
    const { turnId, personId, channelId, replyTo } = writing.reply;
    try {
      if (writing.reply.messageId === null) {
        const note = await this.notes.open({ turnId, personId, channelId, replyTo, opening: content });
        // Delivered by now, or begun so long ago that a second one could come of it.
        const mayShow = note && (note.messageId !== null || isNonceKnown(note.startedAt, Date.now()));
        if (!mayShow) {
          writing.isClosed = true;
          return;
        }
        const chunk = { content, nonce: liveNonceOf(turnId), replyTo: replyTo ?? undefined };
        const messageId = note.messageId ?? (await this.api.createMessage(channelId, chunk));
        writing.reply.messageId = messageId;
        if (note.messageId === null) await this.notes.arrived(turnId, messageId);
      } else {
        await this.#edit(writing, writing.reply.messageId, content);
      }
    } catch (error) {
      writing.isClosed = true;
      this.#cannotShow(turnId, error);
    }
  }

  /** One more of the live message's versions, unless it is closed; the reply's, if it was closed meanwhile. */
  async #edit(writing: Writing, messageId: string, content: string): Promise<void> {
    const { turnId, channelId } = writing.reply;
    writing.isClosed = (await this.notes.read(turnId))?.closedAt !== null;
    if (writing.isClosed) return;
    await this.api.editMessage(channelId, messageId, content, AbortSignal.timeout(EDIT_WITHIN_MS));
    const note = await this.notes.read(turnId);
    if (note?.closedAt === null) return;
    // Another process made it the reply while our edit was on its way: the reply is what stays.
    writing.isClosed = true;
    if (note?.finalText != null) await this.api.editMessage(channelId, messageId, note.finalText);
  }

  #cannotShow(turnId: string, error: unknown): void {
    this.logger.warn({ turnId, reason: String(error).slice(0, 200) }, 'reply not shown while it is written');
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

/** The chunk among what was posted, in any of its wordings. */
function findAny(
  chunk: { nonce: string; replyTo: string | undefined },
  wordings: readonly string[],
  posted: readonly PostedMessage[],
): PostedMessage | undefined {
  for (const content of wordings) {
    const found = findSent({ ...chunk, content }, posted, new Set());
    if (found) return found;
  }
  return undefined;
}
