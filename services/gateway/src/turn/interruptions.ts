import type { Broadcasts } from '@kith/messaging';
import { z } from 'zod';

/** Why a turn under way is given up before its outcome: see docs/decisions/0006-the-durable-turn.md. */
export const Interruption = z.enum(['stopped', 'overtaken', 'revised', 'lease-lost']);
export type Interruption = z.infer<typeof Interruption>;

/** Thrown where a turn was under way. Nothing of it is kept; its messages are taken up anew. */
export class TurnInterrupted extends Error {
  override readonly name = 'TurnInterrupted';
  constructor(readonly reason: Interruption) {
    super(`the turn was interrupted: ${reason}`);
  }
}

const CHANNEL = 'turn.interruptions';
const Notice = z.object({ conversationId: z.string(), reason: Interruption });

/**
 * Tells the worker of a conversation, in whichever replica, that its turn has become pointless. Only a hint, which
 * saves the rest of a model call: the commit finds out from the inbox rows in any case.
 */
export class Interruptions {
  readonly #underWay = new Map<string, (reason: Interruption) => void>();

  constructor(private readonly broadcasts: Broadcasts) {}

  /** Hears what other replicas tell. Resolves also while Redis is away; then local ones are heard alone. */
  async listen(): Promise<void> {
    await this.broadcasts
      .subscribe(CHANNEL, (payload) => {
        const notice = Notice.safeParse(payload);
        if (notice.success) this.#tellHere(notice.data.conversationId, notice.data.reason);
      })
      .catch(() => undefined);
  }

  /** A turn begins: `onTold` hears why it should be given up, until the returned function is called. */
  begin(conversationId: string, onTold: (reason: Interruption) => void): () => void {
    this.#underWay.set(conversationId, onTold);
    return () => {
      if (this.#underWay.get(conversationId) === onTold) this.#underWay.delete(conversationId);
    };
  }

  /** Tells the worker of a conversation's turn, here or in another replica. */
  tell(conversationId: string, reason: Interruption): void {
    if (this.#tellHere(conversationId, reason)) return;
    void this.broadcasts.publish(CHANNEL, { conversationId, reason }).catch(() => undefined);
  }

  #tellHere(conversationId: string, reason: Interruption): boolean {
    const onTold = this.#underWay.get(conversationId);
    onTold?.(reason);
    return onTold !== undefined;
  }
}
