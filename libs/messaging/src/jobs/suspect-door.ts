/** Whoever goes through the door. */
export interface Suspect {
  /** Time for which the door is closed behind it: what ends its process does so sooner. */
  readonly aloneForMs: number;
  /** Called once it is not alone any more: another runs beside it, and may end the process that both run in. */
  overtaken(): Promise<void>;
}

/** Time for which others are held back after a suspect came in vain: it has come again by then. */
const HELD_FOR_MS = 600;

/**
 * Lets one suspect of a process in at a time, with no other job beside it, and the next one when that is done or takes
 * long. Services that share a process share its door, as they die together.
 */
export class SuspectDoor {
  private inside: { suspect: Suspect; since: number; until: number } | null = null;
  /** Another, suspect or not, was refused since somebody went in. */
  private isAwaited = false;
  /** Jobs in work that are no suspects, and when they began. */
  private readonly others = new Map<object, number>();
  private othersHeldUntil = 0;

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
    const begun = [...this.others.values()];
    if (begun.some((at) => now - at < suspect.aloneForMs)) {
      this.othersHeldUntil = now + HELD_FOR_MS;
      return false;
    }
    const own = { suspect, since: now, until: now + suspect.aloneForMs };
    this.inside = own;
    this.isAwaited = false;
    try {
      await before?.suspect.overtaken();
      // A job that has lasted so long is not waited for.
      if (begun.length > 0) await suspect.overtaken();
      return true;
    } catch (error) {
      // The one before may still be marked as alone: it stays inside, and the next one calls it again.
      if (this.isInside(own)) this.inside = before;
      throw error;
    }
  }

  /** Tells whether a job that is no suspect may begin. A suspect that has been inside for long hears of it before. */
  async admit(job: object): Promise<boolean> {
    const now = performance.now();
    const { inside } = this;
    if (inside && now < inside.until) {
      this.isAwaited = true;
      return false;
    }
    if (now < this.othersHeldUntil) return false;
    this.others.set(job, now);
    try {
      await inside?.suspect.overtaken();
    } catch (error) {
      this.others.delete(job);
      throw error;
    }
    if (inside) this.leave(inside.suspect);
    return true;
  }

  private async stay(own: NonNullable<SuspectDoor['inside']>, now: number): Promise<boolean> {
    own.until = now + own.suspect.aloneForMs;
    if (!this.isAwaited || now - own.since < own.suspect.aloneForMs) return true;
    await own.suspect.overtaken();
    this.leave(own.suspect);
    return false;
  }

  /** Tells whether it is still this entry that counts: another may have gone in while the one before was called. */
  private isInside(entered: NonNullable<SuspectDoor['inside']>): boolean {
    return this.inside === entered;
  }

  /** Notes that a suspect, or another job, is done. */
  leave(job: object): void {
    this.others.delete(job);
    if (this.inside?.suspect === job) this.inside = null;
  }
}

/** The door of this process. */
export const processDoor = new SuspectDoor();
