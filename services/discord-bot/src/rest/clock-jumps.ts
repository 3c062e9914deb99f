import type { REST } from 'discord.js';

/** Jump of a clock in a second that is more than slewing. */
const JUMP_MS = 2_000;
/** One check a second costs next to nothing, and notices a jump before a request times out. */
const CHECK_EVERY_MS = 1_000;

/**
 * Notices that the wall clock was set. discord.js keeps the end of each rate limit as a time of day: when the clock is
 * set back by an hour, a wait of a second lasts an hour.
 */
export class ClockJumps {
  private driftMs: number;

  constructor(
    private readonly wall: () => number = Date.now,
    private readonly monotonic: () => number = () => performance.now(),
  ) {
    this.driftMs = wall() - monotonic();
  }

  /** True if the clock was set since the last check. */
  hasJumped(): boolean {
    const driftMs = this.wall() - this.monotonic();
    const jumped = Math.abs(driftMs - this.driftMs) > JUMP_MS;
    if (jumped) this.driftMs = driftMs;
    return jumped;
  }
}

/** Makes a REST client drop its rate-limit waits after each jump of the clock. Returns how to stop. */
export function forgetLimitsOnJumps(rest: REST): () => void {
  const jumps = new ClockJumps();
  const timer = setInterval(() => {
    if (!jumps.hasJumped()) return;
    rest.handlers.clear();
    rest.globalReset = -1;
  }, CHECK_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
