import { isUnavailable, type EmbeddingSpace } from '@kith/contracts';
import { columnOf, sql, type Database, type Writer } from '@kith/database';
import type { Logger } from 'pino';
import type { Forgetter } from '../forget/forgetter.js';
import type { Embeddings } from '../index/embeddings.js';
import { INDEX_BATCH, TO_INDEX, type IndexWriter } from '../index/index-writer.js';
import type { ReindexMonitor } from '../index/reindex-monitor.js';
import type { VectorIndex } from '../index/vector-index.js';
import { changeLocked } from '../rows/memory-row.js';
import { countAnew } from '../rows/memory-tallies.js';
import { holdsPoints, removePoints } from '../rows/postgres-points.js';
import { batched, notIn, walkBatches, walkPoints, walkRows } from './index-walks.js';
import { walkTogether } from './walk-together.js';

/** Rows that are marked in one transaction: at most as many people are locked, of some 6,000 locks that Postgres has. */
const NOTE_BATCH = 512;

/** Walks over the rows that are to be marked with the next space: one for all, and one for those that came meanwhile. */
const MAX_MARKING = 2;

/** Makes the index match the rows, which are the source of truth. */
export class Reindexer {
  constructor(
    private readonly parts: {
      database: Database;
      index: VectorIndex;
      embeddings: Embeddings;
      writer: IndexWriter;
      forgetting: Forgetter;
      monitor: ReindexMonitor;
      logger: Logger;
    },
  ) {}

  /**
   * Writes missing points to the space in use, and deletes points without an open row, while recall and writes go on.
   * Rows with lost points are marked first, so that recall finds them by their words meanwhile and a person who speaks
   * has theirs written at once. Then fills the next space, if there is one. Safe to repeat and to interrupt.
   */
  async reindex(): Promise<void> {
    const { database, index, embeddings, forgetting, logger } = this.parts;
    await forgetting.deleteAllPendingPoints((err) => {
      logger.warn({ err }, 'points of forgotten memories could not be deleted');
    });
    const space = await embeddings.currentSpace();
    await index.ensureSpace(space);
    if (!index.within && (await holdsPoints(database))) await this.leavePostgres(space);
    await this.fill(space);
    // An empty index has lost all points: all rows are marked without a search for each.
    if ((await index.count(space.id)) === 0) await this.noteAllLost(space);
    await this.compare(space);
    await this.fill(space);
    await index.useSpace(space.id);
    const next = embeddings.nextSpace;
    if (next) await this.fillNext(next);
    // Wrong tallies would order a reindex again and again. They are corrected here, where all rows were read anyway.
    await countAnew(database);
  }

  /**
   * Removes the points of the time when the index was in Postgres, which nobody would remove with their rows. Whatever Qdrant
   * holds is of a time before: all rows are compared with it anew, words and all.
   */
  private async leavePostgres(space: EmbeddingSpace): Promise<void> {
    await this.noteAllLost(space);
    await removePoints(this.parts.database, sql`TRUE`);
  }

  /** Writes every open row without a point in the space. */
  private async fill(space: EmbeddingSpace): Promise<void> {
    const { database, writer } = this.parts;
    const total = await this.count(notIn(space));
    const progress = this.progressOf(total, { isBeside: false });
    for await (const rows of walkBatches(database, notIn(space))) {
      await writer.adoptOrWrite(space, rows, 'system');
      await progress(rows.length);
    }
  }

  /**
   * Builds another space beside the one in use, and switches to it once a walk over all memories found none missing.
   * New memories are written to both meanwhile. Rows that a crash left marked with the former space are adopted by the
   * next run.
   */
  private async fillNext(next: EmbeddingSpace): Promise<void> {
    const { database, index, embeddings, writer, monitor, logger } = this.parts;
    await index.ensureSpace(next);
    const total = await this.count({ shelf: 'open' });
    const progress = this.progressOf(total, { isBeside: true, done: await index.count(next.id) });
    for (let missing = -1; missing !== 0;) {
      missing = 0;
      for await (const ids of batched(this.missingIn(next))) {
        missing += ids.length;
        const rows = await database.asSystem((tx) =>
          tx.memory.findMany({ where: { id: { in: ids }, shelf: 'open' }, select: TO_INDEX }),
        );
        await writer.writeTo(next, rows);
        await progress(rows.length);
      }
    }
    await embeddings.switchTo(next);
    await index.useSpace(next.id);
    // A memory stored at the moment of the switch has no point there, and one that could not be written to both has
    // the point of its old words. Later ones are left to upkeep.
    for (let pass = 0, left = -1; left !== 0 && pass < MAX_MARKING; pass += 1) {
      left = 0;
      for await (const rows of walkBatches(database, notIn(next))) {
        left += rows.length;
        await writer.adoptOrWrite(next, rows, 'system');
      }
    }
    await monitor.publish({ done: total, total, perSecond: 0, isBeside: true });
    logger.info({ space: next.id }, 'recall uses another embedding space');
  }

  /** Walks over the ids of open memories that have no point in a space. */
  private async *missingIn(space: EmbeddingSpace): AsyncGenerator<string> {
    const { database, index } = this.parts;
    const rows = walkRows(database, { shelf: 'open' });
    for await (const { row, point } of walkTogether(rows, walkPoints(index, space)))
      if (row && !point) yield row.id;
  }

  /** Marks rows that have no point, and deletes points that have no open row. */
  private async compare(space: EmbeddingSpace): Promise<void> {
    const { database, index } = this.parts;
    const lost: { id: string; personId: string }[] = [];
    const orphans: { id: string; personId: string }[] = [];
    const points = walkPoints(index, space);
    for await (const { row, point } of walkTogether(walkRows(database), points)) {
      if (row?.indexedIn === space.id && !point) lost.push(row);
      if (point && row?.shelf !== 'open') orphans.push(point);
      if (lost.length >= NOTE_BATCH) await this.noteLost(lost.splice(0));
      if (orphans.length >= INDEX_BATCH) await this.removeOrphans(orphans.splice(0));
    }
    if (lost.length > 0) await this.noteLost(lost);
    await this.removeOrphans(orphans);
  }

  private async noteLost(rows: readonly { id: string; personId: string }[]): Promise<void> {
    const ids = rows.map(({ id }) => id);
    const mark = (tx: Writer) =>
      tx.$executeRaw`UPDATE memories SET indexed_in = NULL WHERE id = ANY(${ids}::uuid[])`;
    await changeLocked(this.parts.database, 'system', rows, mark);
  }

  /** Marks all open rows of a space as being in none. */
  private async noteAllLost(space: EmbeddingSpace): Promise<void> {
    const marked = walkRows(this.parts.database, { shelf: 'open', indexedIn: space.id });
    for await (const rows of batched(marked, NOTE_BATCH)) await this.noteLost(rows);
  }

  /** Deletes points without an open row. Rows are read again, because some were stored or opened during the walk. */
  private async removeOrphans(points: { id: string; personId: string }[]): Promise<void> {
    if (points.length === 0) return;
    const { database, writer, logger } = this.parts;
    const open = await columnOf(database.reader('system'))`
      SELECT id FROM memories WHERE id = ANY(${points.map(({ id }) => id)}::uuid[]) AND shelf = 'open'`;
    const alive = new Set(open);
    const gone = points.filter(({ id }) => !alive.has(id));
    for (const [personId, own] of Map.groupBy(gone, (point) => point.personId))
      await writer.remove(own).catch((err: unknown) => {
        if (isUnavailable(err)) throw err;
        // A fault with one person's points does not stop the others'.
        logger.warn({ err, personId }, 'points without a memory could not be deleted');
      });
  }

  private count(where: ReturnType<typeof notIn> | { shelf: string }): Promise<number> {
    return this.parts.database.asSystem((tx) => tx.memory.count({ where }));
  }

  /** Counts written rows, and publishes the count after each batch. */
  private progressOf(total: number, { isBeside, done = 0 }: { isBeside: boolean; done?: number }) {
    const startedAt = performance.now();
    let written = 0;
    return async (rows: number): Promise<void> => {
      written += rows;
      const perSecond = written / ((performance.now() - startedAt) / 1_000);
      await this.parts.monitor.publish({ done: Math.min(done + written, total), total, perSecond, isBeside });
    };
  }
}
