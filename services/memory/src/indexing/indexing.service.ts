import type { EmbeddingSpace } from '@kith/contracts';
import type { Database, Tx } from '@kith/database';
import { analyseText } from '../recall/analyse-text.js';
import type { MemoryRow } from '../storage/memory-records.js';
import type { VectorIndex } from '../storage/vector-index.js';
import type { Embeddings } from './embeddings.js';
import { walkTogether } from './walk-together.js';

/** Texts embedded and points written at once: one request to the model's host, a few hundred KB to the index. */
const BATCH = 64;
const SCAN_PAGE = 512;

type Scoped = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
type Progress = { done: number; total: number };

/** Keeps the index in step with the rows, which are the truth. */
export class IndexingService {
  constructor(
    private readonly database: Database,
    private readonly index: VectorIndex,
    private readonly embeddings: Embeddings,
  ) {}

  /**
   * Indexes whatever of a person's is not in the current space yet: what a job just stored, and what a crash
   * or an outage left. Throws `unavailable` while embedding or the index is out of reach.
   */
  async indexPending(personId: string): Promise<void> {
    const scoped: Scoped = (work) => this.database.asPerson(personId, work);
    const space = this.embeddings.knownSpace ?? (await this.embeddings.currentSpace());
    for (;;) {
      const rows = await scoped((tx) =>
        tx.memory.findMany({ where: { personId, ...notIn(space) }, orderBy: { id: 'asc' }, take: BATCH }),
      );
      if (rows.length === 0) return;
      await this.#write(rows, scoped);
      // A space that changed meanwhile: reindex brings everything over, this only what is new.
      if (rows.length < BATCH || this.embeddings.knownSpace?.id !== space.id) return;
    }
  }

  /**
   * Makes the index equal to the rows, in the space now in use, while both are used: writes what is missing,
   * removes what has no row. Tells how far it is after each batch. Safe to repeat and to break off.
   */
  async reindex(tell: (progress: Progress) => Promise<void>): Promise<void> {
    const scoped: Scoped = (work) => this.database.asSystem(work);
    const space = await this.embeddings.currentSpace();
    await this.index.ensureSpace(space);
    const progress: Progress = { done: 0, total: await scoped((tx) => tx.memory.count()) };
    await tell(progress);
    const missing: MemoryRow[] = [];
    const orphans: { id: string; personId: string }[] = [];
    for await (const { row, point } of walkTogether(this.#rows(scoped), this.#points(space))) {
      if (row) progress.done += 1;
      if (row && (!point || row.indexedIn !== space.id)) missing.push(row);
      if (point && !row) orphans.push(point);
      if (missing.length >= BATCH) {
        await this.#write(missing.splice(0), scoped);
        await tell(progress);
      }
      if (orphans.length >= BATCH) await this.#removeOrphans(orphans.splice(0), scoped);
    }
    if (missing.length > 0) await this.#write(missing, scoped);
    await this.#removeOrphans(orphans, scoped);
    await tell({ ...progress, done: progress.total });
  }

  /** Embeds rows, writes their points, notes it. A row that was forgotten meanwhile leaves no point behind. */
  async #write(rows: MemoryRow[], scoped: Scoped): Promise<void> {
    const { space, vectors } = await this.embeddings.documents(rows.map(({ text }) => text));
    await this.index.upsert(
      space,
      rows.map(({ id, personId, companionId, audience, text }, i) => ({
        id,
        personId,
        companionId,
        audience,
        vector: vectors[i]!,
        terms: analyseText(text),
      })),
    );
    const still = await scoped((tx) =>
      tx.memory.updateManyAndReturn({
        where: { id: { in: rows.map(({ id }) => id) } },
        data: { indexedIn: space.id },
        select: { id: true },
      }),
    );
    const kept = new Set(still.map(({ id }) => id));
    await this.#remove(rows.filter(({ id }) => !kept.has(id)));
  }

  /** Points whose rows are gone; what was stored while the walk went on has one by now. */
  async #removeOrphans(points: { id: string; personId: string }[], scoped: Scoped): Promise<void> {
    if (points.length === 0) return;
    const rows = await scoped((tx) =>
      tx.memory.findMany({ where: { id: { in: points.map(({ id }) => id) } }, select: { id: true } }),
    );
    const alive = new Set(rows.map(({ id }) => id));
    await this.#remove(points.filter(({ id }) => !alive.has(id)));
  }

  async #remove(points: { id: string; personId: string }[]): Promise<void> {
    for (const personId of new Set(points.map((point) => point.personId))) {
      const ids = points.filter((point) => point.personId === personId).map(({ id }) => id);
      await this.index.delete(personId, { ids });
    }
  }

  async *#rows(scoped: Scoped): AsyncGenerator<MemoryRow> {
    let after: string | undefined;
    for (;;) {
      const page = await scoped((tx) =>
        tx.memory.findMany({
          ...(after !== undefined && { where: { id: { gt: after } } }),
          orderBy: { id: 'asc' },
          take: SCAN_PAGE,
        }),
      );
      yield* page;
      if (page.length < SCAN_PAGE) return;
      after = page.at(-1)!.id;
    }
  }

  async *#points(space: EmbeddingSpace): AsyncGenerator<{ id: string; personId: string }> {
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<VectorIndex['scan']>> = await this.index.scan(
        space.id,
        after,
        SCAN_PAGE,
      );
      yield* page.points;
      after = page.next;
    } while (after !== null);
  }
}

/** Rows that have no point in this space, as a condition. */
export function notIn(space: { id: string }): { OR: [{ indexedIn: null }, { indexedIn: { not: string } }] } {
  return { OR: [{ indexedIn: null }, { indexedIn: { not: space.id } }] };
}
