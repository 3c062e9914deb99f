import type { MemoryKind } from '@kith/contracts';
import type { Database } from '@kith/database';
import type { Logger } from 'pino';
import type { VectorIndex } from '../storage/vector-index.js';
import { forGood, type ForgetService } from '../forgetting/forget.service.js';

export interface KeepingRules {
  /** Days after which what was never of use goes to the archive; 0: never. */
  archiveAfterDays: number;
  /** Days for which a kind is kept; what has no entry is kept for good. */
  retentionDays?: Partial<Record<MemoryKind, number>> | undefined;
}

/** What matters less than this may be archived: 1 to 10. */
const SMALL_TALK = 4;
const BATCH = 500;
const DAY_MS = 24 * 60 * 60_000;

/** Puts away what was never of use, and removes what the operator does not want kept for longer. */
export class ArchiveService {
  constructor(
    private readonly database: Database,
    private readonly index: VectorIndex,
    private readonly forgetting: ForgetService,
    private readonly rules: KeepingRules,
    private readonly logger: Logger,
  ) {}

  /** Safe to repeat and to break off: the row moves first, and its point is upkeep's if this ends in between. */
  async tidy(now: Date): Promise<{ archived: number; removed: number }> {
    const archived = await this.#archive(now);
    const removed = await this.#removeOld(now);
    if (archived + removed > 0) this.logger.info({ archived, removed }, 'memories put away');
    return { archived, removed };
  }

  /** What was said long ago, is small talk, is not pinned and was never recalled. A search can still look for it. */
  async #archive(now: Date): Promise<number> {
    const { archiveAfterDays } = this.rules;
    if (archiveAfterDays === 0) return 0;
    const before = new Date(now.getTime() - archiveAfterDays * DAY_MS);
    let archived = 0;
    for (;;) {
      const rows = await this.database.asSystem(
        (tx) => tx.$queryRaw<{ id: string; personId: string }[]>`
          UPDATE memories SET shelf = 'archive', shelf_reason = 'never of use', indexed_in = NULL
          WHERE id IN (
            SELECT id FROM memories
            WHERE kind = 'episode' AND shelf = 'open' AND NOT pinned AND times_recalled = 0
              AND importance < ${SMALL_TALK} AND said_at < ${before}
            LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
          RETURNING id::text, person_id::text AS "personId"`,
      );
      for (const [personId, own] of Map.groupBy(rows, (row) => row.personId)) {
        await this.index.delete(personId, { ids: own.map(({ id }) => id) });
      }
      archived += rows.length;
      if (rows.length < BATCH) return archived;
    }
  }

  /** As its owner would: with what was made of it, from every store, and without its coming back. */
  async #removeOld(now: Date): Promise<number> {
    let removed = 0;
    for (const [kind, days] of Object.entries(this.rules.retentionDays ?? {})) {
      const before = new Date(now.getTime() - days * DAY_MS);
      for (;;) {
        const rows = await this.database.asSystem((tx) =>
          tx.memory.findMany({
            where: { kind, pinned: false, saidAt: { lt: before } },
            select: { id: true, personId: true },
            take: BATCH,
          }),
        );
        for (const [personId, own] of Map.groupBy(rows, (row) => row.personId)) {
          const what = { kind: 'ids' as const, ids: own.map(({ id }) => id) };
          removed += (await this.forgetting.forget(forGood(personId, what))).rows;
        }
        if (rows.length < BATCH) break;
      }
    }
    return removed;
  }
}
