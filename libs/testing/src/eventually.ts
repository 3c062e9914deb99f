/** Between two looks: at first what catches a state that passes, and at most what nobody notices in a long wait. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [25, 100];
/**
 * Part of what was waited for already that a pause takes: longer ones begin after a second, the longest after four. Each
 * look costs whoever is asked as much as the test.
 */
const PAUSE_SHARE = 1 / 40;

/**
 * Waits until `check` returns something other than undefined, null or false, and returns it. For what
 * another process does in its own time; fails with `what` when it does not happen.
 */
export async function eventually<T>(
  what: string,
  check: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  timeoutMs = 10_000,
): Promise<T> {
  const started = performance.now();
  for (;;) {
    const found = await check();
    if (found !== undefined && found !== null && found !== false) return found;
    const waitedMs = performance.now() - started;
    if (waitedMs > timeoutMs) throw new Error(`did not happen within ${timeoutMs} ms: ${what}`);
    const pauseMs = Math.min(Math.max(waitedMs * PAUSE_SHARE, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
