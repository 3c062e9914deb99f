import { Pause } from '@kith/messaging';
import type { TurnEvent } from '../signals/turn-events.js';

/** Events that may wait for their reader: those of a long reply, for a reader who is far behind. */
const MAX_EVENTS = 2_000;

/**
 * Events of one message, for one reader. Where its reader is too far behind, the later ones are dropped, all of them,
 * so that what is read has no gap: the reader looks up how its turn ended.
 */
export class EventQueue {
  private readonly events: TurnEvent[] = [];
  private readonly pause = new Pause();
  private inboxId: string | undefined;
  private isFull = false;

  push(event: TurnEvent): void {
    if (this.isFull || !this.isAbout(event)) return;
    if (this.events.length >= MAX_EVENTS) {
      this.isFull = true;
      return;
    }
    this.events.push(event);
    this.pause.end();
  }

  /** Keeps the events of this message alone. Until it is known, those of its conversation are kept. */
  keepOnly(inboxId: string): void {
    this.inboxId = inboxId;
    const own = this.events.filter((event) => this.isAbout(event));
    this.events.splice(0, Infinity, ...own);
  }

  /** Returns the next event, or null when none came in this time. */
  async next(waitMs: number): Promise<TurnEvent | null> {
    if (this.events.length === 0) await this.pause.wait(waitMs);
    return this.events.shift() ?? null;
  }

  private isAbout({ inboxIds }: TurnEvent): boolean {
    return this.inboxId === undefined || inboxIds.includes(this.inboxId);
  }
}
