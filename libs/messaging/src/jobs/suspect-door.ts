/** Whoever goes through the door. */
export interface Suspect {
  /** Told once it is not alone any more: another goes in, and may end the process that both run in. */
  overtaken(): Promise<void>;
}

/** Lets one suspect of a process in at a time, and the next one when that is done or takes long. */
export class SuspectDoor {
  private inside: { suspect: Suspect; until: number } | null = null;

  /** @param aloneForMs time for which it is closed behind each: what ends its process does so sooner */
  constructor(private readonly aloneForMs: number) {}

  /**
   * Tells whether it may go in, or stay as long again. One that has been inside for long hears of another's entry before it.
   */
  async enter(suspect: Suspect): Promise<boolean> {
    const now = performance.now();
    const before = this.inside?.suspect === suspect ? null : this.inside;
    if (before && now < before.until) return false;
    this.inside = { suspect, until: now + this.aloneForMs };
    try {
      await before?.suspect.overtaken();
      return true;
    } catch (error) {
      this.leave(suspect);
      throw error;
    }
  }

  leave(suspect: Suspect): void {
    if (this.inside?.suspect === suspect) this.inside = null;
  }
}
