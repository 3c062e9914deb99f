/** Wait after the first try, doubled with each further one. */
const FIRST_WAIT_MS = 1_000;
/** Longest wait: a reply is there soon after Discord is back. */
const MAX_WAIT_MS = 20_000;
/** Tries before a reply is given up: with the waits above half an hour, longer than Discord is away on a bad day. */
const MAX_TRIES = 100;

export type RedeliveryDecision = { kind: 'retry'; afterMs: number } | { kind: 'give-up'; reason: string };

/**
 * Decides whether and when an undelivered reply is tried again: by its tries, not by the clock, which may be set
 * while it waits.
 * @param tries so far
 * @param waitMs how long the door itself wants us to wait
 */
export function decideRedelivery(tries: number, reason: string, waitMs: number): RedeliveryDecision {
  if (isTriedOften(tries)) return { kind: 'give-up', reason: `given up after ${tries} tries: ${reason}` };
  return { kind: 'retry', afterMs: Math.max(waitAfter(tries), waitMs) };
}

/** Returns how long a reply waits after so many tries. */
export function waitAfter(tries: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.max(tries - 1, 0), MAX_WAIT_MS);
}

/** Tells whether a reply has had all its tries. Those that a process did not come back from count, too. */
export function isTriedOften(tries: number): boolean {
  return tries >= MAX_TRIES;
}

/** Time until a later reply to the same person looks again, when the earlier one has had so many tries. */
export function lookAgainMs(tries: number): number {
  // One that is simply under way is usually there by then; one that waits for Discord is there when Discord is.
  return tries <= 1 ? 300 : 2_000;
}
