import { jobsContract, memoryContract, isDoneWithin } from '@kith/contracts';
import type { Database, SealedRows } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { IndexWriter } from '../index/index-writer.js';
import type { MemoryRow } from '../rows/memory-row.js';

/** Collaborators of a change of a memory. */
export interface ChangeParts {
  database: Database;
  sealed: SealedRows;
  writer: IndexWriter;
  messenger: Messenger;
  logger: Logger;
}

/** Longest wait for the queue with a change that is made: who made it is answered within three seconds. */
const WAIT_MS = 2_000;

/**
 * Orders what follows from a change that is made, and has what changed indexed: a failure is logged, and nobody is told that
 * the change failed. Upkeep finds what was not ordered.
 * @param lostSummaries times of the days whose summaries went with the change
 * @param isToRead whether lines are to be read for facts
 */
export async function orderAfterChange(
  { messenger, writer, logger }: ChangeParts,
  { personId, companionId, indexedIn }: MemoryRow,
  { lostSummaries, isToRead }: { lostSummaries: readonly Date[]; isToRead: boolean },
): Promise<void> {
  const orders = lostSummaries.map((at) =>
    messenger
      .enqueue(jobsContract.consolidateAgain, { personId, companionId, at: at.toISOString() })
      .catch((err: unknown) => {
        logger.warn({ err }, 'could not order the summary of a day again; upkeep will');
      }),
  );
  if (isToRead)
    orders.push(
      messenger
        .enqueue(memoryContract.extract, { whose: [{ personId, companionId }] })
        .catch((err: unknown) => {
          logger.warn({ err }, 'could not order the reading of a changed memory; upkeep will');
        }),
    );
  await Promise.all([
    isDoneWithin(Promise.all(orders), WAIT_MS),
    indexedIn === null && writer.indexPendingLater(personId, 'correction'),
  ]);
}
