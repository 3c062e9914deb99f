/** Whoever goes through the door. */
export interface Suspect {
  /** Called once it is not alone any more: another goes in, and may end the process that both run in. */
  overtaken(): Promise<void>;
}

/** Lets one suspect of a process in at a time, and the next one when that is done or takes long. */
export class SuspectDoor {
  private inside: { suspect: Suspect; since: number; until: number } | null = null;
  /** Another was refused since somebody went in. */
  private isAwaited = false;

  /** @param aloneForMs time for which it is closed behind each: what ends its process does so sooner */
  constructor(private readonly aloneForMs: number) {}

  /**
   * Tells whether it may go in, or stay as long again. One that has been inside for long hears of another's entry before it,
   * and has to go out between two pieces where another waits.
   */
  async enter(suspect: Suspect): Promise<boolean> {
    const now = performance.now();
    const before = this.inside;
    if (before?.suspect === suspect) return this.stay(before, now);
    if (before && now < before.until) {
      this.isAwaited = true;
      return false;
    }
    const own = { suspect, since: now, until: now + this.aloneForMs };
    this.inside = own;
    this.isAwaited = false;
    try {
      await before?.suspect.overtaken();
      return true;
    } catch (error) {
      // The one before may still be marked as alone: it stays inside, and the next one calls it again.
      if (this.isInside(own)) this.inside = before;
      throw error;
    }
  }

  private async stay(own: NonNullable<SuspectDoor['inside']>, now: number): Promise<boolean> {
    own.until = now + this.aloneForMs;
    if (!this.isAwaited || now - own.since < this.aloneForMs) return true;
    await own.suspect.overtaken();
    this.leave(own.suspect);
    return false;
  }

  /** Tells whether it is still this entry that counts: another may have gone in while the one before was called. */
  private isInside(entered: NonNullable<SuspectDoor['inside']>): boolean {
    return this.inside === entered;
  }

  leave(suspect: Suspect): void {
    if (this.inside?.suspect === suspect) this.inside = null;
  }
}
