import { type ChatEvent, reasonOf } from '@kith/contracts';
import type { Broadcasts } from '@kith/messaging';
import type { Logger } from 'pino';
import type { DiscordApi } from '../rest/discord-api.js';
import { AwaitedReplies, type AwaitedReply } from './awaited-replies.js';
import type { Deletions } from './deletions.js';
import { decideLiveEdit, type LiveEdit, type LiveState } from './decide-live-edit.js';
import { LiveMessages, namingOf, type LiveReply } from './live-messages.js';
import type { LivePace } from './live-pace.js';
import type { LiveNotes, LiveTurn } from './live-notes.js';
import type { Typing } from './typing.js';

/** Time for the next try of a delivery. Another process may make it, and this one does not hear of that. */
const TRY_MS = 30_000;

interface LiveParts {
  broadcasts: Broadcasts;
  notes: LiveNotes;
  api: DiscordApi;
  deletions: Deletions;
  typing: Pick<Typing, 'turnEnded'>;
  pace: LivePace;
  logger: Logger;
}

interface Writing extends LiveState {
  reply: LiveReply;
  shown: string[];
  /** The last of the messages it answers. */
  answers: string;
  isClosed: boolean;
  /** Requests on their way to Discord, one after the other. */
  work: Promise<void>;
}

/**
 * Shows replies while they are written, by editing a message, and a further one where that is full. Each is noted in
 * Postgres before it is sent, so that the delivery of the finished reply, by whichever process, makes these very
 * messages its first chunks, and a turn that ends without a reply takes them back.
 */
export class LiveReplies {
  private readonly awaited: AwaitedReplies;
  private readonly messages: LiveMessages;
  /** Replies that are being written, each to a message that is awaited: so they are bounded in number and time. */
  private readonly writing = new Map<string, Writing>();
  /** Deliveries that are to be tried again. */
  private readonly heldUp = new Map<string, { channelId: string; until: number }>();
  /** Set while a reply is awaited or written. */
  private updateTimer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: LiveParts) {
    const { broadcasts, notes, api, deletions, logger } = parts;
    this.awaited = new AwaitedReplies(broadcasts, (event) => this.follow(event), logger);
    this.messages = new LiveMessages(notes, api, deletions);
  }

  async stop(): Promise<void> {
    clearInterval(this.updateTimer);
    this.awaited.dropAll();
    for (const writing of this.writing.values()) writing.isClosed = true;
    await Promise.all([...this.writing.values()].map(({ work }) => work));
  }

  /** Watches the turn of a message that was accepted. */
  await(awaited: AwaitedReply): void {
    const { updateEveryMs } = this.parts.pace;
    if (this.awaited.add(awaited))
      this.updateTimer ??= setInterval(() => this.update(), updateEveryMs).unref();
  }

  /** Shows nothing new in a channel while an earlier reply waits for its next try: it would overtake that one. */
  holdUp(outboxId: string, channelId: string, retryAfterMs: number): void {
    this.heldUp.set(outboxId, { channelId, until: performance.now() + retryAfterMs + TRY_MS });
  }

  /** Notes that a delivery has ended, well or not. */
  letGo(outboxId: string): void {
    this.heldUp.delete(outboxId);
  }

  /**
   * Stops showing a turn, in every process. Returns the ids of its messages in the channel, in order: they are still to
   * be made the first of `finalTexts`, the chunks of the reply. There may be more messages than chunks.
   * @param named whom the reply names, and pings
   */
  async close(turn: LiveTurn, channelId: string, finalTexts: readonly string[], named: string | null) {
    await this.stopWriting(turn.turnId);
    const note = await this.parts.notes.close(turn, channelId, finalTexts);
    return note.channelId === channelId ? this.messages.find(note, named) : [];
  }

  /** Deletes, now or later, the live messages from `index` on, which become no chunks. */
  async dropFrom(turnId: string, channelId: string, messageIds: readonly string[], index: number) {
    if (messageIds.length <= index) return;
    // First: one that is deleted later must not be taken for a chunk meanwhile.
    await this.parts.notes.keep(turnId, messageIds.slice(0, index));
    await this.parts.deletions.remove(channelId, messageIds.slice(index));
  }

  /** Takes back what was shown of a turn that ended without a reply, or of a reply whose rest can't be sent. */
  async takeBack(turnId: string, sent: readonly string[] = []): Promise<void> {
    await this.stopWriting(turnId);
    await this.messages.takeBack(turnId, sent);
  }

  /**
   * Takes back what is shown of replies to a person who is erased, before its notes go with them. Where its messages can't
   * be found, they stay.
   */
  async takeBackFrom(personId: string): Promise<void> {
    for (const turnId of await this.parts.notes.openTo(personId))
      await this.takeBack(turnId).catch((error: unknown) =>
        this.parts.logger.warn(
          { turnId, reason: reasonOf(error) },
          'could not take back what was shown of a reply',
        ),
      );
  }

  private async stopWriting(turnId: string): Promise<void> {
    const writing = this.writing.get(turnId);
    if (!writing) return;
    writing.isClosed = true;
    await writing.work;
    this.writing.delete(turnId);
  }

  private follow(event: ChatEvent): void {
    if (event.type === 'turn') this.begin(event.turnId, event.messageIds ?? []);
    else if (event.type === 'done') {
      const writing = this.writing.get(event.turn.turnId);
      if (writing) writing.isClosed = true;
      for (const messageId of event.turn.messageIds ?? []) this.end(messageId);
    } else if (event.type === 'token' || event.type === 'restart') {
      const writing = this.writing.get(event.turnId);
      if (!writing) return;
      if (event.type === 'token') writing.firstTokenAt = Math.min(writing.firstTokenAt, performance.now());
      writing.text = event.type === 'token' ? writing.text + event.text : '';
    }
  }

  /** Ends the typing as well: the event of the turn's end, and its delivery, may come to another process. */
  private end(messageId: string): void {
    const awaited = this.awaited.find(messageId);
    if (awaited) this.parts.typing.turnEnded(awaited);
    this.awaited.drop(messageId);
  }

  private begin(turnId: string, messageIds: readonly string[]): void {
    const last = messageIds.at(-1);
    const awaited = last === undefined ? undefined : this.awaited.find(last);
    const writing = this.writing.get(turnId);
    if (writing) {
      // Its worker died and another one started over; or the reply also answers a newer message and belongs below it.
      if (writing.answers === last) writing.text = '';
      else void this.takeBack(turnId).catch((error: unknown) => this.cannotShow(turnId, error));
      return;
    }
    if (!awaited) return;
    const { personId, channelId, messageId, replyTo, named } = awaited;
    this.writing.set(turnId, {
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

  private update(): void {
    if (this.awaited.size + this.writing.size === 0) {
      clearInterval(this.updateTimer);
      this.updateTimer = undefined;
    }
    const now = performance.now();
    for (const [outboxId, { until }] of this.heldUp) if (until < now) this.heldUp.delete(outboxId);
    const heldUp = new Set([...this.heldUp.values()].map(({ channelId }) => channelId));
    this.awaited.dropOverdue(now);
    for (const [turnId, writing] of this.writing) {
      // Nobody listens to it any more: its end was lost, as with Redis or a gateway. Its delivery finishes what is shown, or
      // the clear-up takes it back.
      if (this.awaited.find(writing.answers) === undefined) writing.isClosed = true;
      if (writing.isClosed) {
        void writing.work.then(() => this.writing.delete(turnId));
        continue;
      }
      const { named, channelId } = writing.reply;
      if (writing.shown.length === 0 && heldUp.has(channelId)) continue;
      const edit = decideLiveEdit({ ...writing, text: namingOf(named) + writing.text }, now, this.parts.pace);
      if (edit === null) continue;
      writing.shown[edit.index] = edit.content;
      writing.lastShownAt = now;
      writing.work = writing.work.then(() => this.show(writing, edit));
    }
  }

  /** Never throws: what can't be shown now is delivered when it is whole. */
  private async show(writing: Writing, edit: LiveEdit): Promise<void> {
    if (writing.isClosed) return;
    try {
      if (!(await this.messages.show(writing.reply, edit))) writing.isClosed = true;
    } catch (error) {
      writing.isClosed = true;
      this.cannotShow(writing.reply.turnId, error);
    }
  }

  private cannotShow(turnId: string, error: unknown): void {
    this.parts.logger.warn({ turnId, reason: reasonOf(error) }, 'reply not shown while it is written');
  }
}
