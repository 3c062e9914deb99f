import { DAY_MS, type MemoryKind } from '@kith/contracts';
import type { Database } from '@kith/database';
import type { Logger } from 'pino';
import { forGood, type ForgetService } from '../forget/forget.service.js';

/** Rows that are looked up at once: each person's among them go in one transaction. */
const BATCH = 500;

/** Days for which a kind is kept; a kind without an entry is kept for good. */
export type RetentionDays = Partial<Record<MemoryKind, number>>;

/** Removes memories that the operator does not want kept for longer. */
export class Retention {
  constructor(
    private readonly database: Database,
    private readonly forgetting: ForgetService,
    private readonly days: RetentionDays,
    private readonly logger: Logger,
  ) {}

  /** Forgets them as their owner would: with what was made of them, from every store, and without their coming back. */
  async remove(now: Date): Promise<number> {
    let removed = 0;
    for (const [kind, days] of Object.entries(this.days)) {
      const before = new Date(now.getTime() - days * DAY_MS);
      for (;;) {
        const rows = await this.readOld(kind, before);
        for (const [personId, own] of Map.groupBy(rows, (row) => row.personId)) {
          const what = { kind: 'ids' as const, ids: own.map(({ id }) => id) };
          removed += (await this.forgetting.forget(forGood(personId, what))).rows;
        }
        if (rows.length < BATCH) break;
      }
    }
    if (removed > 0) this.logger.info({ removed }, 'memories past their retention removed');
    return removed;
  }

  private readOld(kind: string, before: Date): Promise<{ id: string; personId: string }[]> {
    return this.database.read(
      'system',
      (reader) => reader.$queryRaw<{ id: string; personId: string }[]>`
        SELECT id::text, person_id::text AS "personId" FROM memories
        WHERE kind = ${kind} AND NOT pinned AND said_at < ${before} ORDER BY said_at, memories.id LIMIT ${BATCH}`,
    );
  }
}
