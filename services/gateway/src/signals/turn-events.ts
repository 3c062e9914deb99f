import { randomUUID } from 'node:crypto';
import { ChatEvent, chatEventsChannel, Door, ServerFrame } from '@kith/contracts';
import type { Broadcasts } from '@kith/messaging';
import { z } from 'zod';

/** A chat event, the door and inbox rows it is about: what a waiting door recognises its own message by. */
const TurnEvent = z.object({ door: Door, inboxIds: z.array(z.string()), event: ChatEvent });
export type TurnEvent = z.infer<typeof TurnEvent>;

/**
 * Live events of turns. Listeners in this process hear them at once; those of other replicas over plain pub/sub,
 * where they may be lost: every door that waits for one also looks at the truth in Postgres.
 */
export class TurnEvents {
  private readonly here = new Map<string, Set<(event: TurnEvent) => void>>();
  /** Distinguishes our own broadcasts, which were heard here already, from others. */
  private readonly origin = randomUUID();

  constructor(private readonly broadcasts: Broadcasts) {}

  /** Tells the doors of a conversation. Never fails a turn. */
  publish(conversationId: string, event: TurnEvent): void {
    for (const listener of this.here.get(conversationId) ?? []) listener(event);
    void this.broadcasts
      .publish(chatEventsChannel(event.door, conversationId), { ...event, origin: this.origin })
      .catch(() => undefined);
  }

  /** Calls `listener` with each event of an API's conversation from now on. Returns how to stop. */
  subscribe(conversationId: string, listener: (event: TurnEvent) => void): () => void {
    const listeners = this.here.get(conversationId) ?? new Set();
    this.here.set(conversationId, listeners.add(listener));
    // Not waited for: the message that the events are about is not even accepted yet.
    const remote = this.broadcasts
      .subscribe(chatEventsChannel('http', conversationId), (payload) => {
        // Our own come back too, each of them: they were heard already and are not even read.
        if ((payload as { origin?: unknown }).origin === this.origin) return;
        const event = TurnEvent.safeParse(payload);
        if (event.success) listener(event.data);
      })
      .catch(() => undefined);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.here.get(conversationId) === listeners) {
        this.here.delete(conversationId);
      }
      void remote.then((unsubscribe) => unsubscribe?.()).catch(() => undefined);
    };
  }

  /** Tells every open socket of a person, whichever replica holds it. */
  publishToPerson(personId: string, frame: ServerFrame): void {
    void this.broadcasts.publish(`person.${personId}`, frame).catch(() => undefined);
  }

  /** Makes open pages of a person's talk load it again: private talk was switched. */
  readonly privacySwitched = (personId: string): void =>
    this.publishToPerson(personId, { type: 'talk-changed', forgets: false });

  /** Makes open pages of a person's talk load it again: words were forgotten or put back. */
  readonly talkForgotten = (personId: string): void =>
    this.publishToPerson(personId, { type: 'talk-changed', forgets: true });

  /** Calls `listener` with each frame for a person from when this resolves; without Redis, from when it is back. */
  async subscribePerson(
    personId: string,
    listener: (frame: ServerFrame) => void,
  ): Promise<() => Promise<void> | void> {
    const channel = `person.${personId}`;
    const onPayload = (payload: unknown): void => {
      const frame = ServerFrame.safeParse(payload);
      if (frame.success) listener(frame.data);
    };
    return this.broadcasts
      .subscribe(channel, onPayload)
      .catch(() => this.broadcasts.hear(channel, onPayload));
  }

  /** Changes whenever a person's frames may have been missed. Null while none arrive. */
  get gap(): number | null {
    return this.broadcasts.isHearing ? this.broadcasts.gap : null;
  }
}
