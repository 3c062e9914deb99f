import type { Database } from '@kith/database';

/**
 * Has the sweeper ask again whether these turns are remembered, once memory takes them as not handled. The job that is
 * ordered then may be lost or given up, or is one that is under way and has read the old words.
 */
export async function reopenTurns(database: Database, turnIds: readonly string[]): Promise<void> {
  await database.write(
    'system',
    (tx) =>
      tx.$executeRaw`UPDATE turns SET followed_up_at = NULL WHERE turn_id = ANY (${[...turnIds]}::uuid[])`,
  );
}
