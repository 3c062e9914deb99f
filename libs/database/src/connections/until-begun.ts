import { setTimeout as sleep } from 'node:timers/promises';
import { isConnectionTrouble, toCallersError } from './connection-trouble.js';

/** A restart of Postgres takes about two seconds: work that comes meanwhile waits so long before it fails. */
const RESTART_MS = 3_000;
/** Some thirty tries in that time: work goes on soon after Postgres is back, and does not crowd it. */
const BEGIN_AGAIN_MS = 100;

/** Runs work, and runs it again while the connection fails before the work has begun, as while Postgres restarts. */
export async function untilBegun<T>(run: (noteBegun: () => void) => Promise<T>): Promise<T> {
  const deadline = performance.now() + RESTART_MS;
  for (;;) {
    const state = { hasBegun: false };
    try {
      return await run(() => {
        state.hasBegun = true;
      });
    } catch (error) {
      const again = !state.hasBegun && isConnectionTrouble(error) && performance.now() < deadline;
      if (!again) throw toCallersError(error);
      await sleep(BEGIN_AGAIN_MS);
    }
  }
}
