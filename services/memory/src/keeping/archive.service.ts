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
/** Memories that a round looks at: an hour's round takes a second or so, and in two days has seen two million. */
const LOOKED_AT = 50_000;
const DAY_MS = 24 * 60 * 60_000;

/** How far a walk over memories in the order of their times has come. */
interface Looked {
  saidAt: Date;
  id: string;
}
const BEFORE_ALL: Looked = { saidAt: new Date(0), id: '00000000-0000-0000-0000-000000000000' };

/** Puts away what was never of use, and removes what the operator does not want kept for longer. */
export class ArchiveService {
  #looked: Looked | null = null;

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

  /**
   * What was said long ago, is small talk, is not pinned and was never recalled. A search can still look for it. Goes on
   * where the last round stopped, and begins anew at the end, so that a round costs the same however much is kept.
   */
  async #archive(now: Date): Promise<number> {
    const { archiveAfterDays } = this.rules;
    if (archiveAfterDays === 0) return 0;
    const before = new Date(now.getTime() - archiveAfterDays * DAY_MS);
    let archived = 0;
    for (let looked = 0; looked < LOOKED_AT; looked += BATCH) {
      const { rows, last } = await this.#archiveAfter(before);
      archived += rows.length;
      for (const [personId, own] of Map.groupBy(rows, (row) => row.personId)) {
        await this.index.delete(personId, { ids: own.map(({ id }) => id) });
      }
      this.#looked = last;
      if (last === null) break;
    }
    return archived;
  }

  /** The next batch of what was said before this; `last` is null when there is nothing after it. */
  async #archiveAfter(
    before: Date,
  ): Promise<{ rows: { id: string; personId: string }[]; last: Looked | null }> {
    const { saidAt, id } = this.#looked ?? BEFORE_ALL;
    return this.database.write('system', async (tx) => {
      const old = await tx.$queryRaw<(Looked & { isSmall: boolean })[]>`
        SELECT id::text, said_at AS "saidAt", shelf = 'open' AND NOT pinned AND times_recalled = 0
          AND importance < ${SMALL_TALK} AS "isSmall"
        FROM memories WHERE kind = 'episode' AND said_at < ${before} AND (said_at, id) > (${saidAt}, ${id}::uuid)
        ORDER BY said_at, id LIMIT ${BATCH}`;
      const small = old.filter(({ isSmall }) => isSmall).map((row) => row.id);
      const rows =
        small.length === 0
          ? []
          : await tx.$queryRaw<{ id: string; personId: string }[]>`
              UPDATE memories SET shelf = 'archive', shelf_reason = 'never of use', indexed_in = NULL
              WHERE id = ANY (${small}::uuid[]) AND shelf = 'open' AND NOT pinned AND times_recalled = 0
              RETURNING id::text, person_id::text AS "personId"`;
      return { rows, last: old.length < BATCH ? null : old.at(-1)! };
    });
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
