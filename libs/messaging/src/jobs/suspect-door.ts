/** Whoever goes through the door. */
export interface Suspect {
  /** Time for which the door is closed behind it: what ends its process does so sooner. */
  readonly aloneForMs: number;
  /** Age from which jobs in work are not waited for. */
  readonly patienceMs: number;
  /** Called once it is not alone any more: another runs beside it, and may end the process that both run in. */
  overtaken(): Promise<void>;
}

/**
 * Answer to a suspect: `in`; `occupied` by another suspect, which may take long; or `accompanied`, where it is to ask again
 * within `ASKS_AGAIN_MS`, as no further job begins until then.
 */
export type Entry = 'in' | 'occupied' | 'accompanied';

interface AdmittedSuspect {
  readonly suspect: Suspect;
  readonly since: number;
  until: number;
}

/** Pause between two looks at the door: most jobs are done in less. */
export const ASKS_AGAIN_MS = 250;
/** Time for which others are held back after a suspect found company: it has asked again by then. */
const HELD_FOR_MS = 600;

/**
 * Lets one suspect of a process in at a time, with no other job beside it, and the next one when that is done or takes
 * long. Services that share a process share its door, as they die together.
 */
export class SuspectDoor {
  private inside: AdmittedSuspect | null = null;
  /** Another, suspect or not, was refused since somebody went in. */
  private isAwaited = false;
  /** Jobs in work that are no suspects, and when they began. */
  private readonly others = new Map<object, number>();
  private othersHeldUntil = 0;

  /**
   * Asks to go in, or to stay as long again. One that has been inside for long hears of another's entry before it, and has
   * to go out between two pieces where another waits.
   */
  async enter(suspect: Suspect): Promise<Entry> {
    const now = performance.now();
    const { inside } = this;
    if (inside?.suspect === suspect) return this.stay(inside, now);
    if (this.isClosed(now)) return 'occupied';
    if (this.hasCompany(now, suspect.patienceMs)) {
      this.othersHeldUntil = now + HELD_FOR_MS;
      return 'accompanied';
    }
    const own = { suspect, since: now, until: now + suspect.aloneForMs };
    this.isAwaited = false;
    await this.replace(inside, own);
    return 'in';
  }

  /** Tells whether a job that is no suspect may begin. A suspect that has been inside for long hears of it before. */
  async admit(job: object): Promise<boolean> {
    const now = performance.now();
    if (this.isClosed(now) || now < this.othersHeldUntil) return false;
    const { inside } = this;
    this.others.set(job, now);
    try {
      await inside?.suspect.overtaken();
    } catch (error) {
      this.leave(job);
      throw error;
    }
    if (inside) this.leave(inside.suspect);
    return true;
  }

  /** Notes that a suspect, or another job, is done. */
  leave(job: object): void {
    this.others.delete(job);
    if (this.inside?.suspect === job) this.inside = null;
  }

  private isClosed(now: number): boolean {
    if (!this.inside || now >= this.inside.until) return false;
    this.isAwaited = true;
    return true;
  }

  private hasCompany(now: number, patienceMs: number): boolean {
    return [...this.others.values()].some((at) => now - at < patienceMs);
  }

  /** Lets a suspect in, after the one before has heard of it. It hears itself where others are in work. */
  private async replace(before: AdmittedSuspect | null, own: AdmittedSuspect): Promise<void> {
    this.inside = own;
    try {
      await before?.suspect.overtaken();
      await this.tellOfCompany(own);
    } catch (error) {
      // The one before may still be marked as alone: it stays inside, and the next one calls it again.
      if (this.isInside(own)) this.inside = before;
      throw error;
    }
  }

  private async stay(own: AdmittedSuspect, now: number): Promise<Entry> {
    own.until = now + own.suspect.aloneForMs;
    if (!this.isAwaited || now - own.since < own.suspect.aloneForMs) {
      await this.tellOfCompany(own);
      return 'in';
    }
    await own.suspect.overtaken();
    this.leave(own.suspect);
    return 'occupied';
  }

  private async tellOfCompany({ suspect }: AdmittedSuspect): Promise<void> {
    if (this.others.size > 0) await suspect.overtaken();
  }

  /** Tells whether it is still this entry that counts: another may have gone in while the one before was called. */
  private isInside(entered: AdmittedSuspect): boolean {
    return this.inside === entered;
  }
}

export const processDoor = new SuspectDoor();
