/** Wait after the first try, doubled with each further one. */
const FIRST_WAIT_MS = 1_000;
/** Longest wait: a reply is there soon after Discord is back. */
const MAX_WAIT_MS = 20_000;
/** Tries before a reply is given up: more than half an hour with the waits above, longer than Discord is away on a bad day. */
const MAX_TRIES = 100;

export type RedeliveryDecision = { kind: 'retry'; afterMs: number } | { kind: 'give-up'; reason: string };

/**
 * Decides whether and when an undelivered reply is tried again, by the number of its tries: the clock may be set meanwhile.
 * @param tries so far
 * @param waitMs wait that the door itself asks for
 */
export function decideRedelivery(tries: number, reason: string, waitMs: number): RedeliveryDecision {
  if (isTriedOften(tries)) return { kind: 'give-up', reason: `given up after ${tries} tries: ${reason}` };
  return { kind: 'retry', afterMs: Math.max(waitAfter(tries), waitMs) };
}

/** Returns how long a reply waits after so many tries. */
export function waitAfter(tries: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.max(tries - 1, 0), MAX_WAIT_MS);
}

/** Tells whether a reply's tries are used up. Those in which the process died count, too. */
export function isTriedOften(tries: number): boolean {
  return tries >= MAX_TRIES;
}

/** Returns how long a reply waits behind an earlier one to the same person, by that one's tries. */
export function lookAgainMs(tries: number): number {
  // A first try is usually over by then. A later one waits for Discord, which takes longer.
  return tries <= 1 ? 300 : 2_000;
}
