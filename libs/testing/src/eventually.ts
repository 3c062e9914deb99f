import { setTimeout as sleep } from 'node:timers/promises';

/** Bounds of the pause between two checks: short enough for a state that passes, and unnoticed in a long wait. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [25, 100];
/**
 * Pause as a share of the time waited so far: it grows from the first second on, and is longest after four. Each check
 * costs the process that is asked as much as the test.
 */
const PAUSE_SHARE = 1 / 40;
/** Time that is waited for what happens at once on a machine at rest: one that tests fill takes far longer. */
export const PATIENCE_MS = 30_000;

/**
 * Waits until `check` returns something other than undefined, null or false, and returns that. For what another process
 * does in its own time. Fails with `what` when it does not happen.
 */
export async function eventually<T>(
  what: string,
  check: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  timeoutMs = PATIENCE_MS,
): Promise<T> {
  const started = performance.now();
  for (;;) {
    const found = await check();
    if (found !== undefined && found !== null && found !== false) return found;
    const waitedMs = performance.now() - started;
    if (waitedMs > timeoutMs) throw new Error(`did not happen within ${timeoutMs} ms: ${what}`);
    const pauseMs = Math.min(Math.max(waitedMs * PAUSE_SHARE, MIN_PAUSE_MS), MAX_PAUSE_MS);
    await sleep(pauseMs);
  }
}
