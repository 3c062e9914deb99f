import { readFileSync } from 'node:fs';

/** Beyond it nothing is learned by waiting: a round would take hours. */
const MAX_FACTOR = 5;

/** Nanoseconds that a process ran, and waited for a processor that others had. */
interface Scheduled {
  ran: number;
  waited: number;
}

/** Measure of how crowded the machine is while it lasts: who asks whether something came late asks it as well. */
export class Slowness {
  private readonly from: Scheduled;
  private readonly read: () => Scheduled;

  constructor(read: () => Scheduled = readScheduled) {
    this.read = read;
    this.from = read();
  }

  /** Tells how many times as long as on an idle machine work has taken this process so far, from 1 to 5. */
  get factor(): number {
    const { ran, waited } = this.read();
    const ranSince = ran - this.from.ran;
    return ranSince > 0 ? Math.min(MAX_FACTOR, (ranSince + waited - this.from.waited) / ranSince) : 1;
  }
}

/** Reads what Linux's scheduler counts of this process; elsewhere nothing is known, and the machine counts as idle. */
function readScheduled(): Scheduled {
  try {
    const [ran = 0, waited = 0] = readFileSync('/proc/self/schedstat', 'utf8').split(' ').map(Number);
    return { ran, waited };
  } catch {
    return { ran: 0, waited: 0 };
  }
}
