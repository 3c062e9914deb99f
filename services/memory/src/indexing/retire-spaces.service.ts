import type { Database } from '@kith/database';
import type { Logger } from 'pino';
import type { VectorIndex } from '../storage/vector-index.js';
import { decideRetired } from './decide-spaces.js';
import type { Embeddings } from './embeddings.js';

/** Of a space that was in use here: `since` says when it was last. */
const USED = 'used:';

/** Removes what is left in the index of embedding spaces that nobody uses any more. */
export class RetireSpaces {
  constructor(
    private readonly database: Database,
    private readonly index: VectorIndex,
    private readonly embeddings: Embeddings,
    private readonly logger: Logger,
  ) {}

  /**
   * Notes which spaces are used, and removes those that were used here and are not for long. One that was never used
   * here is left alone, whoever else fills it. Safe to repeat.
   * @throws AppError `unavailable` without embedding or the index
   */
  async tidy(now: Date): Promise<void> {
    const used = await this.embeddings.usedSpaces();
    const known = await this.database.write('system', async (tx) => {
      const [, rows] = await Promise.all([
        tx.$executeRaw`
          INSERT INTO memory_spaces (role, space, since)
          SELECT ${USED} || space, space, ${now} FROM unnest(${[...used]}::text[]) AS used (space)
          ON CONFLICT (role) DO UPDATE SET since = excluded.since`,
        tx.$queryRaw<{ space: string; since: Date }[]>`
          SELECT space, since FROM memory_spaces WHERE starts_with(role, ${USED})`,
      ]);
      return rows;
    });
    const retired = decideRetired(
      known.map(({ space, since }) => ({ space, usedAt: since })),
      used,
      now,
    );
    for (const space of retired) {
      await this.index.dropSpace(space);
      await this.database.write(
        'system',
        (tx) => tx.$executeRaw`DELETE FROM memory_spaces WHERE role = ${USED + space}`,
      );
      this.logger.info({ space }, 'removed an embedding space that nobody uses');
    }
  }
}
