import type { EmbeddingSpace, ReindexProgress } from '@kith/contracts';
import { sql, type Database, type Scope, type Tx, type Writer } from '@kith/database';
import { step } from '@kith/service-host';
import type { Logger } from 'pino';
import { analyseText } from '../recall/analyse-text.js';
import { missingFrom, type MemoryRow } from '../storage/memory-records.js';
import type { IndexPoint, VectorIndex } from '../storage/vector-index.js';
import type { Embeddings } from './embeddings.js';
import { walkTogether } from './walk-together.js';

/** Texts embedded and points written at once: one request to the model's host, a few hundred KB to the index. */
const BATCH = 64;
const SCAN_PAGE = 512;
/** A transaction's worth of rows that are only marked. */
const NOTE_BATCH = 5_000;

/** What of a row the index takes. */
const TO_INDEX = {
  id: true,
  personId: true,
  companionId: true,
  audience: true,
  text: true,
  conversation: true,
  saidAt: true,
} as const;
export type ToIndex = Pick<MemoryRow, keyof typeof TO_INDEX>;

/** Vectors of texts, on their way into the transaction that stores the rows of these texts. */
export interface PreparedPoints {
  /** What the rows are to be marked with. */
  spaceId: string;
  /**
   * Gives the statements that write the points of new rows of one person's.
   * @returns what is to be called once they are committed
   */
  write(tx: Writer, personId: string, rows: readonly ToIndex[]): Promise<() => void>;
}

type Scoped = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** Every person's rows: for upkeep, which belongs to nobody. */
const system =
  (database: Database): Scoped =>
  (work) =>
    database.asSystem(work);

/** Keeps the index in step with the rows, which are the truth. */
export class IndexingService {
  constructor(
    private readonly database: Database,
    private readonly index: VectorIndex,
    private readonly embeddings: Embeddings,
    private readonly logger: Logger,
  ) {}

  /**
   * Indexes whatever of a person's is not in the current space yet: what a job just stored, and what a crash
   * or an outage left. Throws `unavailable` while embedding or the index is out of reach.
   */
  async indexPending(personId: string): Promise<void> {
    const space = this.embeddings.knownSpace ?? (await this.embeddings.currentSpace());
    for (;;) {
      const rows = await this.database.read(
        { personId },
        (reader) => reader.$queryRaw<ToIndex[]>`
          SELECT id, person_id AS "personId", companion_id AS "companionId", audience, text, conversation,
            said_at AS "saidAt"
          FROM (${missingFrom(space.id, sql`*`, sql`person_id = ${personId}::uuid`)}) AS missing
          ORDER BY id LIMIT ${BATCH}`,
      );
      if (rows.length === 0) return;
      await this.#write(rows, { personId });
      // A space that changed meanwhile: reindex brings everything over, this only what is new.
      if (rows.length < BATCH || this.embeddings.knownSpace?.id !== space.id) return;
    }
  }

  /**
   * Embeds texts whose points can be written with their rows; null where anything outside of Postgres has to agree with
   * the rows, which are indexed after they were stored then.
   */
  async prepare(texts: string[]): Promise<PreparedPoints | null> {
    const space = this.embeddings.ownSpace;
    const { within } = this.index;
    if (!space || !within) return null;
    const { vectors } = await this.embeddings.documents(texts);
    const vectorOf = new Map(texts.map((text, n) => [text, vectors[n]!]));
    return {
      spaceId: space.id,
      write: (tx, personId, rows) =>
        within.add(
          tx,
          personId,
          space,
          pointsOf(
            rows,
            rows.map(({ text }) => vectorOf.get(text)!),
          ),
        ),
    };
  }

  /** Indexes rows that were just stored. Throws as `indexPending` does; what is left undone is upkeep's. */
  async indexRows(personId: string, rows: readonly ToIndex[]): Promise<void> {
    for (let from = 0; from < rows.length; from += BATCH)
      await this.#write(rows.slice(from, from + BATCH), { personId });
  }

  /**
   * Makes the index equal to the rows, in the space now in use, while both are used: writes what is missing,
   * removes what has no row. Rows whose points are lost are noted as such first, so that recall goes by their words
   * meanwhile, and whoever speaks has theirs written at once. Safe to repeat and to break off.
   */
  async reindex(tell: (progress: ReindexProgress) => Promise<void>): Promise<void> {
    const space = await this.embeddings.currentSpace();
    await this.index.ensureSpace(space);
    await this.#fill(space, tell);
    if ((await this.index.count(space.id)) === 0) await this.#noteAllLost(space);
    await this.#compare(space);
    await this.#fill(space, tell);
    const next = this.embeddings.nextSpace;
    if (next) await this.#fillNext(next, tell);
  }

  /**
   * Builds another space beside the one in use, and switches to it once a walk over all memories found none missing.
   * What is said meanwhile is written to both.
   */
  async #fillNext(next: EmbeddingSpace, tell: (progress: ReindexProgress) => Promise<void>): Promise<void> {
    await this.index.ensureSpace(next);
    const total = await system(this.database)((tx) => tx.memory.count({ where: { shelf: 'open' } }));
    const before = await this.index.count(next.id);
    const startedAt = performance.now();
    let written = 0;
    for (let missing = -1; missing !== 0;) {
      missing = 0;
      for await (const ids of this.#missingIn(next)) {
        missing += ids.length;
        const rows = await system(this.database)((tx) =>
          tx.memory.findMany({ where: { id: { in: ids }, shelf: 'open' }, select: TO_INDEX }),
        );
        await this.#writeNext(next, rows);
        written += rows.length;
        const done = Math.min(before + written, total);
        await tell({
          done,
          total,
          perSecond: written / ((performance.now() - startedAt) / 1_000),
          isBeside: true,
        });
      }
    }
    await this.embeddings.switchTo(next);
    await tell({ done: total, total, perSecond: 0, isBeside: true });
    this.logger.info({ space: next.id, written }, 'recall goes by another embedding space');
  }

  /** Ids of open memories that a space does not hold, a batch at a time. */
  async *#missingIn(space: EmbeddingSpace): AsyncGenerator<string[]> {
    let ids: string[] = [];
    for await (const { row, point } of walkTogether(this.#rows({ shelf: 'open' }), this.#points(space))) {
      if (row && !point) ids.push(row.id);
      if (ids.length < BATCH) continue;
      yield ids;
      ids = [];
    }
    if (ids.length > 0) yield ids;
  }

  async #writeNext(next: EmbeddingSpace, rows: ToIndex[]): Promise<void> {
    if (rows.length === 0) return;
    const vectors = await this.embeddings.documentsIn(
      next,
      rows.map(({ text }) => text),
    );
    await this.index.upsert(next, pointsOf(rows, vectors));
  }

  /** Writes every row that is not in the space. Tells how far it is after each batch. */
  async #fill(space: EmbeddingSpace, tell: (progress: ReindexProgress) => Promise<void>): Promise<void> {
    const total = await system(this.database)((tx) => tx.memory.count({ where: notIn(space) }));
    const startedAt = performance.now();
    let done = 0;
    for await (const page of this.#pages(notIn(space))) {
      await this.#write(page, 'system');
      done = Math.min(done + page.length, total);
      await tell({
        done,
        total,
        perSecond: done / ((performance.now() - startedAt) / 1_000),
        isBeside: false,
      });
    }
  }

  /** Notes which rows have no point, and removes the points that have no row. */
  async #compare(space: EmbeddingSpace): Promise<void> {
    const scoped = system(this.database);
    const lost: string[] = [];
    const orphans: { id: string; personId: string }[] = [];
    const noteLost = (ids: string[]) =>
      scoped((tx) => tx.$executeRaw`UPDATE memories SET indexed_in = NULL WHERE id = ANY(${ids}::uuid[])`);
    for await (const { row, point } of walkTogether(this.#rows(), this.#points(space))) {
      if (row?.indexedIn === space.id && !point) lost.push(row.id);
      if (point && !row) orphans.push(point);
      if (lost.length >= SCAN_PAGE) await noteLost(lost.splice(0));
      if (orphans.length >= BATCH) await this.#removeOrphans(orphans.splice(0), scoped);
    }
    if (lost.length > 0) await noteLost(lost);
    await this.#removeOrphans(orphans, scoped);
  }

  /** An empty index: there is no need to look at each row to know. */
  async #noteAllLost(space: EmbeddingSpace): Promise<void> {
    let noted: number;
    do {
      noted = await system(this.database)(
        (tx) => tx.$executeRaw`
          UPDATE memories SET indexed_in = NULL
          WHERE id IN (SELECT id FROM memories WHERE indexed_in = ${space.id} LIMIT ${NOTE_BATCH})`,
      );
    } while (noted === NOTE_BATCH);
  }

  /** Embeds rows, writes their points, notes it. A row that was forgotten meanwhile leaves no point behind. */
  async #write(rows: ToIndex[], scope: Scope): Promise<void> {
    const { space, vectors } = await this.embeddings.documents(rows.map(({ text }) => text));
    await this.index.upsert(space, pointsOf(rows, vectors));
    await this.#writeBeside(space, rows);
    step('embedding-written');
    const still = await this.database.write(scope, (tx) =>
      tx.last(
        () => tx.$queryRaw<{ id: string }[]>`
          UPDATE memories SET indexed_in = ${space.id}
          WHERE id = ANY(${rows.map(({ id }) => id)}::uuid[]) AND shelf = 'open'
          RETURNING id`,
      ),
    );
    const kept = new Set(still.map(({ id }) => id));
    await this.#remove(rows.filter(({ id }) => !kept.has(id)));
  }

  /** Also into the space that is being filled, where there is one; what fails there is found missing later. */
  async #writeBeside(space: EmbeddingSpace, rows: ToIndex[]): Promise<void> {
    const next = this.embeddings.nextSpace;
    if (next === null || next.id === space.id) return;
    await this.#writeNext(next, rows).catch((error: unknown) => {
      this.logger.warn({ err: error, space: next.id }, 'not written to the next embedding space yet');
    });
  }

  /** Points whose rows are gone; what was stored while the walk went on has one by now. */
  async #removeOrphans(points: { id: string; personId: string }[], scoped: Scoped): Promise<void> {
    if (points.length === 0) return;
    const rows = await scoped(
      (tx) => tx.$queryRaw<{ id: string }[]>`
        SELECT id FROM memories WHERE id = ANY(${points.map(({ id }) => id)}::uuid[])`,
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

  async *#rows(where: { shelf?: string } = {}): AsyncGenerator<{ id: string; indexedIn: string | null }> {
    let after: string | undefined;
    for (;;) {
      const page = await system(this.database)((tx) =>
        tx.memory.findMany({
          where: { ...where, ...(after !== undefined && { id: { gt: after } }) },
          orderBy: { id: 'asc' },
          take: SCAN_PAGE,
          select: { id: true, indexedIn: true },
        }),
      );
      yield* page;
      if (page.length < SCAN_PAGE) return;
      after = page.at(-1)!.id;
    }
  }

  /** Whole rows by the batch, each once, whatever becomes of them meanwhile. */
  async *#pages(where: ReturnType<typeof notIn>): AsyncGenerator<ToIndex[]> {
    let after: string | undefined;
    for (;;) {
      const page = await system(this.database)((tx) =>
        tx.memory.findMany({
          where: { ...where, ...(after !== undefined && { id: { gt: after } }) },
          orderBy: { id: 'asc' },
          take: BATCH,
          select: TO_INDEX,
        }),
      );
      if (page.length > 0) yield page;
      if (page.length < BATCH) return;
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

function pointsOf(rows: readonly ToIndex[], vectors: readonly Float32Array[]): IndexPoint[] {
  return rows.map(({ id, personId, companionId, audience, text, conversation, saidAt }, i) => ({
    ...{ id, personId, companionId, audience, conversation, saidAt },
    vector: vectors[i]!,
    terms: analyseText(text),
  }));
}

/** Rows that have no point in this space and should have one, as a condition. */
function notIn(space: { id: string }) {
  return { shelf: 'open', OR: [{ indexedIn: null }, { indexedIn: { not: space.id } }] };
}
