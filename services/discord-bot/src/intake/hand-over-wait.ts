/** First wait, which nobody notices who waits for an answer; doubled with each try. */
const FIRST_WAIT_MS = 250;
// Once the gateway is back, nobody should wait much longer for it to be noticed.
const MAX_WAIT_MS = 4_000;

/** Pause before try `attempt` + 1 (from 0) of handing a message over, in milliseconds. */
export function handOverWaitMs(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempt, 10), MAX_WAIT_MS);
}
