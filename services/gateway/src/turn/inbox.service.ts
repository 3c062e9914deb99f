import type { Door } from '@kith/contracts';
import type { Database } from '@kith/database';
import { step } from '@kith/service-host';
import type { Forgetting } from '../forgetting/forgetting.service.js';
import { reviseLine } from '../forgetting/revise-line.js';
import { acceptMessage, type IncomingMessage } from './accept-message.js';
import type { Interruptions } from './interruptions.js';
import { reviseMessage, stopMessages } from './revise-message.js';
import type { Wake } from './wake.js';

/** What happens to messages before they are answered: accepted, edited, deleted, stopped. */
export class Inbox {
  constructor(
    private readonly database: Database,
    private readonly wake: Wake,
    private readonly interruptions: Interruptions,
    private readonly forgetting: Pick<Forgetting, 'follow'>,
  ) {}

  /**
   * Accepts a message and wakes a worker for it. When it resolves, the message will end in exactly one outcome.
   * @param debounceMs how long its door waits for the rest of a burst
   */
  async accept(
    message: IncomingMessage,
    debounceMs: number,
  ): Promise<{ inboxId: string; duplicate: boolean }> {
    step('received');
    // Where it can be answered here and now, it is claimed as it is accepted.
    const room = debounceMs === 0 ? this.wake.enter(message) : null;
    try {
      const { inboxId, duplicate, waiting, claim } = await acceptMessage(
        this.database,
        message,
        room !== null,
      );
      if (duplicate) return { inboxId, duplicate };
      step('committed');
      if (waiting > 0) this.interruptions.tell(message, 'overtaken');
      const { conversationId, personId } = message;
      if (room) room.answer(inboxId, claim);
      else await this.wake.worker({ conversationId, inboxId, personId, waiting }, debounceMs);
      step('queued');
      return { inboxId, duplicate };
    } finally {
      room?.leave();
    }
  }

  /**
   * A message was edited, or deleted (`text` null). Before its answer it is answered as it is now; after it the transcript
   * changes, and then what was made of it. Returns whether it is known here.
   */
  async revise(change: { door: Door; messageId: string; text: string | null; at: Date }): Promise<boolean> {
    const changed = await reviseMessage(this.database, change);
    if (changed) {
      this.interruptions.tell(changed, 'revised');
      return true;
    }
    const revised = await reviseLine(this.database, change);
    for (const { orderId, personId } of revised) void this.forgetting.follow(orderId, personId);
    return revised.length > 0;
  }

  /** Ends what waits or is being answered of this person here, without an answer. Returns how many messages. */
  async stop(where: { conversationId: string; personId: string; at: Date }): Promise<number> {
    const changed = await stopMessages(this.database, where);
    if (!changed) return 0;
    this.interruptions.tell(changed, 'stopped');
    await this.wake.worker({ ...changed, waiting: 0 }, 0);
    return changed.count;
  }
}
