const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
// Past a minute nobody expects an answer any more, and the next message is likelier to get one.
const GIVE_UP_AFTER_MS = 60_000;

/** How long to wait before try `attempt` + 1 (from 0) of a message heard `elapsedMs` ago; null: give it up. */
export function handOverWaitMs(attempt: number, elapsedMs: number): number | null {
  const waitMs = Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS);
  return elapsedMs + waitMs > GIVE_UP_AFTER_MS ? null : waitMs;
}
