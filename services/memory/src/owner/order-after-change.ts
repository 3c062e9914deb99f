import { jobsContract, memoryContract } from '@kith/contracts';
import { isDoneWithin, type Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { Pair } from '../rows/memory-scope.js';

/** Longest wait for the queue with a change that is made: who made it is answered within three seconds. */
const WAIT_MS = 2_000;

/**
 * Orders what follows from a change that is made: a failure is logged, and nobody is told that the change failed.
 * @param lostAt a time of the day whose summary went with the change; null where none did
 * @param isToRead whether lines are to be read for facts: those whose order is lost are found by upkeep
 */
export async function orderAfterChange(
  { messenger, logger }: { messenger: Pick<Messenger, 'enqueue'>; logger: Logger },
  { personId, companionId }: Pair,
  { lostAt, isToRead }: { lostAt: Date | null; isToRead: boolean },
): Promise<void> {
  const orders: Promise<void>[] = [];
  if (lostAt) {
    const order = { personId, companionId, at: lostAt.toISOString() };
    orders.push(
      messenger.enqueue(jobsContract.consolidateAgain, order).catch((err: unknown) => {
        logger.error({ err, ...order }, 'could not order the summary of a day again, which is lost');
      }),
    );
  }
  if (isToRead)
    orders.push(
      messenger
        .enqueue(memoryContract.extract, { whose: [{ personId, companionId }] })
        .catch((err: unknown) => {
          logger.warn({ err }, 'could not order the reading of a changed memory; upkeep will');
        }),
    );
  await isDoneWithin(Promise.all(orders), WAIT_MS);
}
