import { ChatEvent, chatEventsChannel } from '@kith/contracts';
import type { Broadcasts } from '@kith/messaging';
import type { Logger } from 'pino';
import { z } from 'zod';

/** A message that may be answered soon, and its place. */
export interface AwaitedReply {
  personId: string;
  conversationId: string;
  channelId: string;
  messageId: string;
  /** Message that the reply refers to; null in a DM, or if the bot lacks the permission for it. */
  replyTo: string | null;
  /** User whom the reply names and pings instead; null where it names nobody. */
  named: string | null;
}

const Payload = z.object({ event: ChatEvent });
/** Longer than the longest turn. */
const AWAITED_MS = 180_000;
/** Most replies that are watched at once. Any beyond these is delivered when it is whole. */
const MAX_AWAITED = 2_000;

/** Keeps the messages that may be answered soon, and listens to their conversations meanwhile. */
export class AwaitedReplies {
  private readonly awaited = new Map<string, { awaited: AwaitedReply; until: number }>();
  /** Conversations that are listened to: once, for however many messages. */
  private readonly listening = new Map<string, { messages: number; stop: Promise<() => void> }>();
  private isDeaf = false;

  constructor(
    private readonly broadcasts: Broadcasts,
    private readonly onEvent: (event: ChatEvent) => void,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  get size(): number {
    return this.awaited.size;
  }

  find(messageId: string): AwaitedReply | undefined {
    return this.awaited.get(messageId)?.awaited;
  }

  /** Awaits a reply. @returns false when it is awaited already, or too many are */
  add(awaited: AwaitedReply): boolean {
    const { conversationId, messageId } = awaited;
    if (this.awaited.size >= MAX_AWAITED || this.awaited.has(messageId)) return false;
    this.awaited.set(messageId, { awaited, until: performance.now() + AWAITED_MS });
    const known = this.listening.get(conversationId);
    if (known) known.messages += 1;
    else this.listening.set(conversationId, { messages: 1, stop: this.listen(conversationId) });
    return true;
  }

  drop(messageId: string): void {
    const awaited = this.find(messageId);
    const known = awaited && this.listening.get(awaited.conversationId);
    if (!known) return;
    this.awaited.delete(messageId);
    known.messages -= 1;
    if (known.messages > 0) return;
    this.listening.delete(awaited.conversationId);
    void known.stop.then((stop) => stop());
  }

  /** Drops replies that were awaited for too long. */
  dropOverdue(now: number): void {
    for (const [messageId, { until }] of this.awaited) if (until < now) this.drop(messageId);
  }

  dropAll(): void {
    for (const [messageId] of this.awaited) this.drop(messageId);
  }

  private listen(conversationId: string): Promise<() => void> {
    return this.broadcasts
      .subscribe(chatEventsChannel('discord', conversationId), (payload) => {
        const parsed = Payload.safeParse(payload);
        if (parsed.success) this.onEvent(parsed.data.event);
      })
      .then((unsubscribe) => {
        this.isDeaf = false;
        return () => void unsubscribe();
      })
      .catch((error: unknown) => {
        // Logged once for each outage: until it is over this fails for every message.
        if (!this.isDeaf) this.logger.warn({ err: error }, 'cannot show replies while they are written');
        this.isDeaf = true;
        return () => undefined;
      });
  }
}
