const FIRST_WAIT_MS = 250;
// Once the gateway is back, nobody should wait much longer for it to be noticed.
const LONGEST_WAIT_MS = 4_000;

/** How long to wait before try `attempt` + 1 (from 0) of a message that is not handed over yet. */
export function handOverWaitMs(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempt, 10), LONGEST_WAIT_MS);
}
