import { ChatEvent, ServerFrame } from '@kith/contracts';
import type { Broadcasts } from '@kith/messaging';
import { z } from 'zod';

/** A chat event with the inbox rows it is about: what a waiting door recognises its own message by. */
const TurnEvent = z.object({ inboxIds: z.array(z.string()), event: ChatEvent });
export type TurnEvent = z.infer<typeof TurnEvent>;

/**
 * Live events of turns, over plain pub/sub: they may be lost, and every door that waits for one also looks
 * at the truth in Postgres.
 */
export class TurnEvents {
  constructor(private readonly broadcasts: Broadcasts) {}

  /** Tells the doors of a conversation. Never fails a turn. */
  publish(conversationId: string, event: TurnEvent): void {
    void this.broadcasts.publish(`conversation.${conversationId}`, event).catch(() => undefined);
  }

  subscribe(conversationId: string, listener: (event: TurnEvent) => void): Promise<() => Promise<void>> {
    return this.broadcasts.subscribe(`conversation.${conversationId}`, (payload) => {
      const event = TurnEvent.safeParse(payload);
      if (event.success) listener(event.data);
    });
  }

  /** Tells every open socket of a person, whichever replica holds it. */
  publishToPerson(personId: string, frame: ServerFrame): void {
    void this.broadcasts.publish(`person.${personId}`, frame).catch(() => undefined);
  }

  subscribePerson(personId: string, listener: (frame: ServerFrame) => void): Promise<() => Promise<void>> {
    return this.broadcasts.subscribe(`person.${personId}`, (payload) => {
      const frame = ServerFrame.safeParse(payload);
      if (frame.success) listener(frame.data);
    });
  }
}
