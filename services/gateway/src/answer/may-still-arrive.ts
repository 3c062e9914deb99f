import { firstOf, lastOf, outreachContract, type PassingReason, isUnavailable } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { Claim } from '../inbox/claim.js';

/**
 * Asks the scheduler whether an outreach that is written may still arrive: while it was written its person may have opted
 * out or said something, or quiet hours may have begun. The scheduler calls off one that may not. The outbox asks once
 * more before it sends, so a scheduler that is away does not hold it up here.
 * @param underWay what else of theirs is (`whatIsUnderWay`)
 * @returns `unasked` where the scheduler is away and nobody asks later
 */
export async function mayStillArrive(
  messenger: Pick<Messenger, 'ask'>,
  { personId, burst }: Pick<Claim, 'personId' | 'burst'>,
  underWay: { isBusy: boolean; spokenIn: string[] },
): Promise<'allowed' | 'called-off' | 'unasked'> {
  const { externalId: attemptId } = firstOf(burst);
  const attempt = { personId, attemptId, ...underWay, writtenAt: new Date().toISOString() };
  try {
    const { allowed } = await messenger.ask(outreachContract.mayArrive, attempt);
    return allowed ? 'allowed' : 'called-off';
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return lastOf(burst).target === null ? ('unasked' satisfies PassingReason) : 'allowed';
  }
}
