import { setTimeout as sleep } from 'node:timers/promises';
import { isConnectionTrouble, toCallersError } from './connection-trouble.js';

/** A restart of Postgres takes about two seconds: who comes meanwhile waits, and fails only after that. */
const RESTART_MS = 3_000;
const BEGIN_AGAIN_MS = 100;

/** Only what did not begin may be begun again without anyone noticing: while Postgres restarts, say. */
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
