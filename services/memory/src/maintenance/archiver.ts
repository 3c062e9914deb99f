import { DAY_MS, lastOf } from '@kith/contracts';
import { lockPeople } from '../rows/memory-row.js';
import { SMALL_TALK } from '../words/score-importance.js';
import type { UpkeepParts } from './upkeep-parts.js';

/** Rows that move in one transaction: a few milliseconds. */
const BATCH = 500;
/** Memories that a round reads: an hourly round takes about a second, and in two days has read two million. */
const MAX_LOOKED_AT = 50_000;

/** A position in a walk over memories in the order of their times. */
interface WalkPlace {
  saidAt: Date;
  id: string;
}
const START: WalkPlace = { saidAt: new Date(0), id: '00000000-0000-0000-0000-000000000000' };

/** Moves small talk that was never used to the archive shelf, which only a search reads. */
export class Archiver {
  private place: WalkPlace = START;

  constructor(
    private readonly parts: Pick<UpkeepParts, 'database' | 'index' | 'logger'>,
    private readonly afterDays: number,
  ) {}

  /**
   * Archives old small talk that is not pinned and was never recalled. Continues where the last round stopped, and
   * starts over at the end, so that a round always costs the same. Safe to repeat and to interrupt: the row moves
   * first, and upkeep deletes its point if this ends in between.
   */
  async archive(now: Date): Promise<number> {
    if (this.afterDays === 0) return 0;
    const before = new Date(now.getTime() - this.afterDays * DAY_MS);
    let archived = 0;
    for (let looked = 0; looked < MAX_LOOKED_AT; looked += BATCH) {
      const { rows, next } = await this.archiveBatch(before);
      archived += rows.length;
      for (const [personId, own] of Map.groupBy(rows, (row) => row.personId)) {
        await this.parts.index.delete(personId, { ids: own.map(({ id }) => id) });
      }
      this.place = next;
      if (next === START) break;
    }
    if (archived > 0) this.parts.logger.info({ archived }, 'memories archived');
    return archived;
  }

  /** Archives from the next batch of memories from before a time. `next` is the start when none is left. */
  private async archiveBatch(before: Date) {
    const { saidAt, id } = this.place;
    return this.parts.database.write('system', async (tx) => {
      const old = await tx.$queryRaw<(WalkPlace & { personId: string; isSmall: boolean })[]>`
        SELECT id::text, person_id::text AS "personId", said_at AS "saidAt", shelf = 'open' AND NOT pinned AND times_recalled = 0
          AND importance < ${SMALL_TALK} AS "isSmall"
        FROM memories WHERE kind = 'episode' AND said_at < ${before} AND (said_at, id) > (${saidAt}, ${id}::uuid)
        ORDER BY said_at, id LIMIT ${BATCH}`;
      const small = old.filter(({ isSmall }) => isSmall);
      const next = old.length < BATCH ? START : lastOf(old);
      if (small.length === 0) return { rows: [], next };
      const people = small.map(({ personId }) => personId);
      await lockPeople(tx, people);
      const rows = await tx.$queryRaw<{ id: string; personId: string }[]>`
        UPDATE memories SET shelf = 'archive', shelf_reason = 'never of use', indexed_in = NULL
        WHERE id = ANY (${small.map(({ id }) => id)}::uuid[]) AND shelf = 'open' AND NOT pinned AND times_recalled = 0
        RETURNING id::text, person_id::text AS "personId"`;
      return { rows, next };
    });
  }
}
