import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, firstOf, lastOf, outreachContract } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { Claim } from '../inbox/claim.js';

/** Time for which a written outreach waits for a scheduler that is away: it is back within seconds of a restart. */
const ASK_WITHIN_MS = 30_000;
/** Pause between two questions. */
const ASK_AGAIN_MS = 2_000;

/**
 * Asks the scheduler whether an outreach that is written may still arrive: consent may have been withdrawn, or quiet hours
 * have begun, while it was written. The scheduler calls off one that may not. What waits in the outbox is asked about once
 * more there, so a scheduler that is away does not hold it up here.
 * @throws AppError `unavailable` where the scheduler stays away and nobody asks later: the turn is tried anew
 */
export async function mayStillArrive(
  messenger: Pick<Messenger, 'ask'>,
  { personId, burst }: Pick<Claim, 'personId' | 'burst'>,
  signal: AbortSignal,
): Promise<boolean> {
  const attempt = { personId, attemptId: firstOf(burst).externalId, writtenAt: new Date().toISOString() };
  const isAskedLater = lastOf(burst).target !== null;
  const until = performance.now() + ASK_WITHIN_MS;
  for (;;) {
    try {
      return (await messenger.ask(outreachContract.mayArrive, attempt)).allowed;
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'unavailable')) throw error;
      if (isAskedLater) return true;
      if (performance.now() > until) throw error;
    }
    await sleep(ASK_AGAIN_MS);
    signal.throwIfAborted();
  }
}
