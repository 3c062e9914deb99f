import { decideRetired } from '../index/decide-spaces.js';
import type { UpkeepParts } from './upkeep-parts.js';

/** Roles of spaces that were in use here begin with this; `since` says when they were last. */
const USED = 'used:';

/**
 * Notes which spaces are used, and removes those that were used here and are not for long. One that was never used
 * here is left alone: another suite may fill it. Safe to repeat.
 * @throws AppError `unavailable` without embedding or the index
 */
export async function removeUnusedSpaces(
  { database, index, embeddings, logger }: Pick<UpkeepParts, 'database' | 'index' | 'embeddings' | 'logger'>,
  now: Date,
): Promise<void> {
  const used = await embeddings.usedSpaces();
  const known = await database.write('system', async (tx) => {
    const [, rows] = await Promise.all([
      tx.$executeRaw`
        INSERT INTO memory_spaces (role, space, since)
        SELECT ${USED} || space, space, ${now} FROM unnest(${[...used]}::text[]) AS used (space)
        ON CONFLICT (role) DO UPDATE SET since = excluded.since`,
      tx.$queryRaw<{ space: string; usedAt: Date }[]>`
        SELECT space, since AS "usedAt" FROM memory_spaces WHERE starts_with(role, ${USED})`,
    ]);
    return rows;
  });
  for (const space of decideRetired(known, used, now)) {
    await index.dropSpace(space);
    await database.write(
      'system',
      (tx) => tx.$executeRaw`DELETE FROM memory_spaces WHERE role = ${USED + space}`,
    );
    logger.info({ space }, 'removed an embedding space that nobody uses');
  }
}
