import type { Database } from '@kith/database';

/**
 * Has the sweeper ask memory again whether these turns are handled. Memory's own job for them may be lost or given up, or
 * an earlier one is under way and has read the old words.
 */
export async function reopenTurns(database: Database, turnIds: readonly string[]): Promise<void> {
  await database.writer('system').$executeRaw`
    UPDATE turns SET followed_up_at = NULL WHERE turn_id = ANY (${[...turnIds]}::uuid[])`;
}
