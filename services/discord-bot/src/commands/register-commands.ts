import { reasonOf } from '@kith/contracts';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';

/** First pause, doubled with each failure up to the longest: after a short outage the commands come soon. */
const FIRST_WAIT_MS = 2_000;
const MAX_WAIT_MS = 10 * 60_000;

/**
 * Registers the commands as they are in this version, and again after a failure until it works. Discord counts only
 * commands that are new towards its daily limit.
 */
export async function registerCommands(
  register: () => Promise<unknown>,
  signal: AbortSignal,
  logger: Logger,
  waitMs: (attempt: number) => number = waitBefore,
): Promise<void> {
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    try {
      await register();
      logger.info({ attempt }, 'slash commands registered');
      return;
    } catch (error) {
      logger.error({ attempt, reason: reasonOf(error) }, 'slash commands not registered yet');
      await wait(waitMs(attempt), null, { signal, ref: false }).catch(() => undefined);
    }
  }
}

function waitBefore(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS);
}
