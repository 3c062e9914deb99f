import type { Database } from '@kith/database';
import type { Logger } from 'pino';
import { decideRetired } from '../index/decide-spaces.js';
import type { Embeddings } from '../index/embeddings.js';
import type { VectorIndex } from '../index/vector-index.js';

/** Roles of spaces that were in use here begin with this; `since` says when they were last. */
const USED = 'used:';

/** Removes vectors of embedding spaces that nobody uses any more. */
export class UnusedSpaces {
  constructor(
    private readonly database: Database,
    private readonly index: VectorIndex,
    private readonly embeddings: Embeddings,
    private readonly logger: Logger,
  ) {}

  /**
   * Notes which spaces are used, and removes those that were used here and are not for long. One that was never used
   * here is left alone: another suite may fill it. Safe to repeat.
   * @throws AppError `unavailable` without embedding or the index
   */
  async remove(now: Date): Promise<void> {
    const used = await this.embeddings.usedSpaces();
    const known = await this.database.write('system', async (tx) => {
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
      await this.index.dropSpace(space);
      await this.database.write(
        'system',
        (tx) => tx.$executeRaw`DELETE FROM memory_spaces WHERE role = ${USED + space}`,
      );
      this.logger.info({ space }, 'removed an embedding space that nobody uses');
    }
  }
}
