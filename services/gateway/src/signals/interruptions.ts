import type { Broadcasts } from '@kith/messaging';
import { z } from 'zod';
import { speakerKey, type Speaker } from '../conversations/conversations.js';

/** Reasons for which a turn under way is given up before its outcome: see docs/decisions/0006-the-durable-turn.md. */
export const Interruption = z.enum(['stopped', 'overtaken', 'revised', 'lease-lost']);
export type Interruption = z.infer<typeof Interruption>;

/** Ends a turn that was under way. Nothing of it is kept; its messages are taken up anew. */
export class TurnInterrupted extends Error {
  override readonly name = 'TurnInterrupted';
  constructor(readonly reason: Interruption) {
    super(`the turn was interrupted: ${reason}`);
  }
}

const CHANNEL = 'turn.interruptions';
const Notice = z.object({ conversationId: z.string(), personId: z.string(), reason: Interruption });

/**
 * Tells the worker of a speaker, in whichever replica, that its turn has become pointless. This only saves the rest of
 * a model call: the commit finds out from the inbox rows in any case.
 */
export class Interruptions {
  private readonly underWay = new Map<string, (reason: Interruption) => void>();

  constructor(private readonly broadcasts: Broadcasts) {}

  /** Hears what other replicas tell, while Redis is there. */
  listen(): void {
    this.broadcasts.hear(CHANNEL, (payload) => {
      const notice = Notice.safeParse(payload);
      if (notice.success) this.interruptHere(notice.data, notice.data.reason);
    });
  }

  /** Calls `onInterruption` with why a turn should be given up, until the returned function is called. */
  watch(speaker: Speaker, onInterruption: (reason: Interruption) => void): () => void {
    const key = speakerKey(speaker);
    this.underWay.set(key, onInterruption);
    return () => {
      if (this.underWay.get(key) === onInterruption) this.underWay.delete(key);
    };
  }

  /** Tells the worker of a speaker's turn, here or in another replica. */
  interrupt(speaker: Speaker, reason: Interruption): void {
    if (this.interruptHere(speaker, reason)) return;
    const { conversationId, personId } = speaker;
    void this.broadcasts.publish(CHANNEL, { conversationId, personId, reason }).catch(() => undefined);
  }

  private interruptHere(speaker: Speaker, reason: Interruption): boolean {
    const onInterruption = this.underWay.get(speakerKey(speaker));
    onInterruption?.(reason);
    return onInterruption !== undefined;
  }
}
