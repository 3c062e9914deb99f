/** The first wait is doubled with each further try, up to the longest: soon there when Discord is back. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 20_000;
/** With the waits above half an hour, longer than Discord is out of reach on a bad day. Nobody expects a reply later. */
const MOST_TRIES = 100;

export type RetryDecision = { kind: 'retry'; afterMs: number } | { kind: 'give-up'; reason: string };

/**
 * Is a reply that could not be delivered tried again, and when? By tries rather than by the clock, which may be set
 * while it waits.
 * @param tries so far
 * @param waitMs how long the door itself wants us to wait
 */
export function decideRetry(tries: number, reason: string, waitMs = 0): RetryDecision {
  if (isTriedOften(tries)) return { kind: 'give-up', reason: `given up after ${tries} tries: ${reason}` };
  return { kind: 'retry', afterMs: Math.max(waitAfter(tries), waitMs) };
}

/** Has it had all its tries? Also those count that a process did not come back from. */
export function isTriedOften(tries: number): boolean {
  return tries >= MOST_TRIES;
}

/** How long until a later reply to the same person looks again, when the earlier one has had so many tries. */
export function lookAgainMs(tries: number): number {
  // One that is simply under way is usually there by then; one that waits for Discord is there when Discord is.
  return tries <= 1 ? 300 : 2_000;
}

function waitAfter(tries: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.max(tries - 1, 0), LONGEST_WAIT_MS);
}
