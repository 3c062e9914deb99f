import { decideRetired } from '../index/decide-spaces.js';
import type { UpkeepParts } from './upkeep-parts.js';

/** Beginning of the roles of spaces that this suite used before; `since` says when it last did. */
const USED = 'used:';

/**
 * Records which spaces are in use, and deletes those that this suite used before and has not for long. A space that it
 * never used is left alone, since another suite may fill it. Safe to repeat.
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
    await database.writer('system').$executeRaw`DELETE FROM memory_spaces WHERE role = ${USED + space}`;
    logger.info({ space }, 'unused embedding space deleted');
  }
}
