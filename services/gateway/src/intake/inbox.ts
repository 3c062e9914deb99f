import { step } from '@kith/service-host';
import type { ContextPrefetcher } from '../answer/context-prefetcher.js';
import type { ForgetOrders } from '../forgetting/forget-orders.js';
import { reviseLine, type RevisedLine } from '../redaction/revise-line.js';
import { acceptMessage, type IncomingMessage } from '../inbox/accept-message.js';
import type { Interruptions } from '../signals/interruptions.js';
import { reviseMessage, stopMessages, type MessageChange } from '../inbox/revise-message.js';
import type { Speaker } from '../conversations/conversations.js';
import type { TurnStores } from '../inbox/claim-burst.js';
import type { TurnDispatcher } from '../turn/turn-dispatcher.js';

/** Accepts, edits, deletes and stops messages before they are answered. */
export class Inbox {
  constructor(
    private readonly stores: TurnStores,
    private readonly turns: Pick<TurnDispatcher, 'reserve' | 'dispatch'>,
    private readonly prefetcher: Pick<ContextPrefetcher, 'begin' | 'drop'>,
    private readonly interruptions: Interruptions,
    private readonly forgetting: Pick<ForgetOrders, 'follow'>,
  ) {}

  /**
   * Accepts a message and has it answered, here or elsewhere. Once it resolves, the message will end in exactly one
   * outcome.
   * @param debounceMs how long its door waits for the rest of a burst
   */
  async accept(
    message: IncomingMessage,
    debounceMs: number,
  ): Promise<{ inboxId: string; duplicate: boolean }> {
    step('received');
    // If a turn can begin here at once, the message is claimed in the transaction that accepts it.
    const slot = debounceMs === 0 ? this.turns.reserve(message) : null;
    if (slot) this.prefetcher.begin(message);
    try {
      const { inboxId, duplicate, waiting, claim } = await acceptMessage(this.stores, message, slot !== null);
      if (!claim) this.prefetcher.drop(message);
      if (duplicate) return { inboxId, duplicate };
      step('committed');
      if (waiting > 0) this.interruptions.interrupt(message, 'overtaken');
      const { conversationId, personId } = message;
      if (slot) slot.start(inboxId, claim);
      else await this.turns.dispatch({ conversationId, inboxId, personId, waiting }, debounceMs);
      step('queued');
      return { inboxId, duplicate };
    } catch (error) {
      this.prefetcher.drop(message);
      throw error;
    } finally {
      slot?.release();
    }
  }

  /**
   * Applies an edit or a deletion (`text` null) at a door. An unanswered message is then answered as it is now. Of an
   * answered one the transcript changes, and then what was derived from it. Where several companions heard it, it may be
   * both. Returns whether the message is known here.
   */
  async revise(change: MessageChange): Promise<boolean> {
    const changed = await reviseMessage(this.stores.database, change);
    if (changed) {
      if (changed.count > 0) this.interruptions.interrupt(changed, 'revised');
      this.followAll(changed.orders);
    }
    const revised = await reviseLine(this.stores.database, change);
    this.followAll(revised);
    return changed !== null || revised.length > 0;
  }

  private followAll(orders: readonly RevisedLine[]): void {
    for (const { orderId, personId } of orders) void this.forgetting.follow(orderId, personId);
  }

  /** Stops this person's open messages in a conversation: they end without an answer. Returns their number. */
  async stop(where: Speaker & { at: Date }): Promise<number> {
    const changed = await stopMessages(this.stores.database, where);
    if (!changed) return 0;
    this.interruptions.interrupt(changed, 'stopped');
    await this.turns.dispatch({ ...changed, waiting: 0 }, 0);
    return changed.count;
  }
}
