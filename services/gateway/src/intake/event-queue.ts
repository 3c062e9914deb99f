import type { TurnEvent } from '../signals/turn-events.js';

/** Events as they came, for one reader. */
export class EventQueue {
  private readonly events: TurnEvent[] = [];
  private wake: (() => void) | undefined;

  /** Adds an event. */
  push(event: TurnEvent): void {
    this.events.push(event);
    this.wake?.();
  }

  /** Returns the next event, or null when none came in this time. */
  async next(waitMs: number): Promise<TurnEvent | null> {
    if (this.events.length === 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.wake = undefined;
    }
    return this.events.shift() ?? null;
  }
}
