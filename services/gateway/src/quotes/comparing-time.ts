import type { Tx } from '@kith/database';

/**
 * Time that one transaction may spend on comparing, while others wait for its locks: enough for some hundred thousand
 * lines. Lines after those are not compared; hardly any prompt of theirs still held the removed words.
 */
const MAX_LOOK_MS = 5_000;

/** Time for comparing lines, and whether it was too short. */
export class ComparingTime {
  private readonly until: number;
  private isCut = false;

  constructor(ms: number) {
    this.until = performance.now() + ms;
  }

  /** True once something was left out for lack of time. */
  get ranOut(): boolean {
    return this.isCut;
  }

  /** Tells whether it is over. Whoever asks has something left to compare. */
  isOver(): boolean {
    this.isCut ||= performance.now() >= this.until;
    return this.isCut;
  }
}

const times = new WeakMap<Tx, ComparingTime>();

/** Returns the time that a transaction has, from the first question on. */
export function comparingTimeOf(tx: Tx): ComparingTime {
  const time = times.get(tx) ?? new ComparingTime(MAX_LOOK_MS);
  times.set(tx, time);
  return time;
}
