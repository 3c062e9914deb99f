import { ChatEvent, gatewayContract } from '@kith/contracts';
import { DueWork } from '@kith/database';
import type { Broadcasts, Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { DiscordApi, PostedMessage } from '../connection/discord-api.js';
import { snowflakeAt } from '../connection/plan-catch-up.js';
import { decideLiveEdit, type LiveEdit, type LiveState } from './decide-live-edit.js';
import { findSent } from './find-sent.js';
import type { LiveNote, LiveNotes, LiveTurn } from './live-notes.js';
import { isNonceKnown, nonceOf, sentSince } from './nonce-of.js';

/** Where a message was said that may be answered soon. */
export interface AwaitedReply {
  personId: string;
  conversationId: string;
  channelId: string;
  messageId: string;
  /** The message that the reply refers to: none in a DM, nor where that needs a permission the bot lacks. */
  replyTo: string | null;
  /** Whom the reply names instead, and pings; null where it names nobody. */
  named: string | null;
}

const Payload = z.object({ event: ChatEvent });
const LOOK_EVERY_MS = 250;
/** Longer than the longest turn. */
const AWAITED_MS = 180_000;
const MOST_AWAITED = 2_000;
/** How long what a dead process left may go unnoticed: with what is due then, words are gone within a minute. */
const CLEAR_UP_AT_LEAST_EVERY_MS = 20_000;
/** What could not be closed yet is tried again. */
const CLEAR_UP_AGAIN_MS = 10_000;
/** By then the delivery or the end of the turn has closed it, unless a process died. */
const STALE_MS = 180_000;
const GIVEN_UP_MS = 60 * 60_000;
/** Longer than a reply is tried: until then the note says which message is its first chunk. */
const KEEP_CLOSED_MS = 2 * 60 * 60_000;
/** Twice what Discord takes on a bad day; the next edit comes soon. Until then a closed reply's words are needed. */
const EDIT_WITHIN_MS = 20_000;
/** Clocks of two machines differ, and what people forget is gone within a minute. */
const KEEP_WORDS_MS = EDIT_WITHIN_MS + 5_000;
/** Chunk numbers are small: this one, and those after it, are no chunk's. */
const LIVE_NONCE = 46_000;

interface Writing extends LiveState {
  reply: Pick<LiveNote, 'turnId' | 'personId' | 'channelId' | 'replyTo' | 'messageIds'> &
    Pick<AwaitedReply, 'named'>;
  shown: string[];
  /** The last of the messages it answers. */
  answers: string;
  isClosed: boolean;
  /** What is on its way to Discord, one after the other. */
  work: Promise<void>;
}

/** The nonce of one of a turn's live messages: each try of the turn has the same. */
function liveNonceOf(turnId: string, index: number): string {
  return nonceOf(turnId, LIVE_NONCE + index);
}

/** What the reply begins with where it names whom it answers; Discord's own form of a mention. */
export function namingOf(userId: string | null): string {
  return userId === null ? '' : `<@${userId}> `;
}

/**
 * Shows replies while they are written, by editing a message, and a further one where that is full. Each is noted in
 * Postgres before it is sent, so that the delivery of the finished reply, by whichever process, makes these very
 * messages its first chunks, and a turn that ends without a reply takes them back.
 */
export class LiveReplies {
  readonly #awaited = new Map<string, { awaited: AwaitedReply; until: number }>();
  /** Conversations that are listened to: once, for however many messages. */
  readonly #heard = new Map<string, { messages: number; stop: Promise<() => void> }>();
  readonly #writing = new Map<string, Writing>();
  /** Deliveries that are to be tried again, with their channels. */
  readonly #heldUp = new Map<string, string>();
  readonly #clearing = new DueWork(() => this.#clearUp(), CLEAR_UP_AT_LEAST_EVERY_MS);
  /** Set while a reply is awaited or written. */
  #looking: NodeJS.Timeout | undefined;

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
    this.#clearing.start();
  }

  async stop(): Promise<void> {
    clearInterval(this.#looking);
    await this.#clearing.stop();
    for (const [messageId] of this.#awaited) this.#forget(messageId);
    for (const writing of this.#writing.values()) writing.isClosed = true;
    await Promise.all([...this.#writing.values()].map(({ work }) => work));
  }

  /** A message was accepted: its turn may be worth watching. */
  await(awaited: AwaitedReply): void {
    const { conversationId, messageId } = awaited;
    if (this.#awaited.size >= MOST_AWAITED || this.#awaited.has(messageId)) return;
    this.#awaited.set(messageId, { awaited, until: performance.now() + AWAITED_MS });
    this.#looking ??= setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
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
   * Stops writing a turn's live messages, in whichever process. Returns the ids of those in the channel, in order: what
   * they say is still to be made the first of `finalTexts`, the chunks of the reply. There may be more of them.
   */
  async close(turn: LiveTurn, channelId: string, finalTexts: readonly string[]): Promise<string[]> {
    await this.#stopWriting(turn.turnId);
    const note = await this.notes.close(turn, channelId, finalTexts);
    return note.channelId === channelId ? this.#find(note) : [];
  }

  /** The turn ended without a reply, or the rest of its reply can't be sent: what else was shown of it is taken back. */
  async takeBack(turnId: string, sent: readonly string[] = []): Promise<void> {
    await this.#stopWriting(turnId);
    const open = await this.notes.read(turnId);
    if (!open) return;
    const note = await this.notes.close(open, open.channelId, []);
    const messageIds = await this.#find(note);
    for (const id of messageIds) if (!sent.includes(id)) await this.api.deleteMessage(note.channelId, id);
    await this.notes.keep(
      turnId,
      messageIds.filter((id) => sent.includes(id)),
    );
  }

  async #stopWriting(turnId: string): Promise<void> {
    const writing = this.#writing.get(turnId);
    if (!writing) return;
    writing.isClosed = true;
    await writing.work;
    this.#writing.delete(turnId);
  }

  /**
   * The live messages in their channel. Where nobody noted whether the last one arrived, one that is to become a chunk
   * is asked for by its nonce, which makes it where there is none; else it is looked for by what it may say.
   */
  async #find({ turnId, channelId, messageIds, opening, replyTo, startedAt, finalTexts }: LiveNote) {
    if (opening === null) return messageIds;
    const index = messageIds.length;
    const finalText = finalTexts[index];
    const chunk = liveChunk({ turnId, replyTo }, index, opening);
    let id: string | undefined;
    if (finalText !== undefined && opening !== '' && isNonceKnown(startedAt, Date.now())) {
      id = await this.api.createMessage(channelId, chunk);
    } else {
      const posted = await this.api.ownMessagesAfter(channelId, snowflakeAt(sentSince(startedAt)));
      const wordings = finalText === undefined ? [opening] : [opening, finalText];
      id = findAny(chunk, wordings, posted, new Set(messageIds))?.id;
    }
    if (id === undefined) {
      await this.notes.keep(turnId, messageIds);
      return messageIds;
    }
    await this.notes.arrived(turnId, index, id);
    return [...messageIds, id];
  }

  #listen(conversationId: string): Promise<() => void> {
    return this.broadcasts
      .subscribe(`conversation.${conversationId}`, (payload) => this.#hear(payload))
      .then((unsubscribe) => () => void unsubscribe())
      .catch(() => () => undefined); // without Redis nothing is shown before it is whole
  }

  /** What is closed, and what a process left behind that died, and whose turn came to no reply. */
  async #clearUp(): Promise<Date | null> {
    const keep = { staleMs: STALE_MS, wordsMs: KEEP_WORDS_MS, closedMs: KEEP_CLOSED_MS };
    const due = await this.notes.nextDue(keep);
    const now = Date.now();
    if (due === null || due.getTime() > now) return due;
    try {
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
    return new Date(now + CLEAR_UP_AGAIN_MS);
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
    const { personId, channelId, messageId, replyTo, named } = awaited;
    this.#writing.set(turnId, {
      reply: { turnId, personId, channelId, replyTo, named, messageIds: [] },
      answers: messageId,
      text: '',
      shown: [],
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
    if (this.#awaited.size + this.#writing.size === 0) {
      clearInterval(this.#looking);
      this.#looking = undefined;
    }
    const now = performance.now();
    const heldUp = new Set(this.#heldUp.values());
    for (const [messageId, { until }] of this.#awaited) if (until < now) this.#forget(messageId);
    for (const [turnId, writing] of this.#writing) {
      if (writing.isClosed) {
        void writing.work.then(() => this.#writing.delete(turnId));
        continue;
      }
      const { named, channelId } = writing.reply;
      if (writing.shown.length === 0 && heldUp.has(channelId)) continue;
      const edit = decideLiveEdit({ ...writing, text: namingOf(named) + writing.text }, now);
      if (edit === null) continue;
      writing.shown[edit.index] = edit.content;
      writing.lastShownAt = now;
      writing.work = writing.work.then(() => this.#show(writing, edit));
    }
  }

  /** Never throws: what can't be shown now is delivered when it is whole. */
  async #show(writing: Writing, { index, content }: LiveEdit): Promise<void> {
    if (writing.isClosed) return;
    const { turnId } = writing.reply;
    try {
      const shown = writing.reply.messageIds[index];
      if (shown === undefined) await this.#send(writing, index, content);
      else await this.#edit(writing, shown, { index, content });
    } catch (error) {
      writing.isClosed = true;
      this.#cannotShow(turnId, error);
    }
  }

  /** One more live message, unless it is closed or may be there already. */
  async #send(writing: Writing, index: number, content: string): Promise<void> {
    const { turnId, channelId, messageIds, named } = writing.reply;
    const note = await this.notes.open(writing.reply, index, content);
    const arrived = note?.messageIds[index];
    // Delivered by now, or begun so long ago that a second one could come of it.
    if (!note || (arrived === undefined && !isNonceKnown(note.startedAt, Date.now()))) {
      writing.isClosed = true;
      return;
    }
    if (arrived !== undefined) {
      messageIds.push(arrived);
      return;
    }
    const pings = index === 0 && named !== null ? [named] : [];
    const id = await this.api.createMessage(channelId, {
      ...liveChunk(writing.reply, index, content),
      pings,
    });
    messageIds.push(id);
    await this.notes.arrived(turnId, index, id);
  }

  /** One more of a live message's versions, unless it is closed; the reply's, if it was closed meanwhile. */
  async #edit(writing: Writing, messageId: string, { index, content }: LiveEdit): Promise<void> {
    const { turnId, channelId } = writing.reply;
    writing.isClosed = (await this.notes.read(turnId))?.closedAt !== null;
    if (writing.isClosed) return;
    await this.api.editMessage(channelId, messageId, content, AbortSignal.timeout(EDIT_WITHIN_MS));
    const note = await this.notes.read(turnId);
    if (note?.closedAt === null) return;
    // Another process made it the reply while our edit was on its way: the reply is what stays.
    writing.isClosed = true;
    const finalText = note?.finalTexts[index];
    if (finalText !== undefined) await this.api.editMessage(channelId, messageId, finalText);
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

/** The first message refers to what it answers, as the first chunk of a reply does. */
function liveChunk(
  { turnId, replyTo }: Pick<LiveNote, 'turnId' | 'replyTo'>,
  index: number,
  content: string,
) {
  const refersTo = index === 0 ? (replyTo ?? undefined) : undefined;
  return { content, nonce: liveNonceOf(turnId, index), replyTo: refersTo };
}

/** The chunk among what was posted, in any of its wordings. */
function findAny(
  chunk: { nonce: string; replyTo: string | undefined },
  wordings: readonly string[],
  posted: readonly PostedMessage[],
  taken: ReadonlySet<string>,
): PostedMessage | undefined {
  for (const content of wordings) {
    const found = findSent({ ...chunk, content }, posted, taken);
    if (found) return found;
  }
  return undefined;
}
