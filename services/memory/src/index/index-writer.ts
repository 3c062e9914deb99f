import { type EmbeddingSpace, inParts, present, isDoneWithin } from '@kith/contracts';
import { dontWaitForDisk, sql, type Database, type Scope, type Writer } from '@kith/database';
import { step } from '@kith/service-host';
import type { Logger } from 'pino';
import { missingFrom } from '../rows/found-rows.js';
import { changeLocked, lockPerson, type MemoryRow } from '../rows/memory-row.js';
import { analyseText } from '../words/analyse-text.js';
import { digestOf } from '../words/content-hash.js';
import type { Embeddings } from './embeddings.js';
import type { IndexPoint, PointsWithin, VectorIndex } from './vector-index.js';

/** Texts embedded and points written at once: one request to the model's host, a few hundred KB to the index. */
export const INDEX_BATCH = 64;

/** Longest wait for the index with a change that is stored: who made it is answered within three seconds. */
const WAIT_MS = 2_000;

/** Columns of a row that the index takes. */
export const TO_INDEX = {
  id: true,
  personId: true,
  companionId: true,
  audience: true,
  text: true,
  conversation: true,
  saidAt: true,
} as const;
export type ToIndex = Pick<MemoryRow, keyof typeof TO_INDEX>;
/** Row that is to be indexed, and the space that it was marked with before. */
export type Unindexed = ToIndex & Pick<MemoryRow, 'indexedIn'>;

/** Vectors of texts, to be written in the transaction that stores the rows of these texts. */
export interface PreparedPoints {
  /** The space that the rows are to be marked with. */
  spaceId: string;
  /**
   * Writes the points of new rows of one person.
   * @returns a function to call once they are committed
   */
  write(tx: Writer, personId: string, rows: readonly ToIndex[]): Promise<() => void>;
}

/** Writes points of rows to the index, and marks the rows with the space that holds them. */
export class IndexWriter {
  /** Last background work of each person, and whether none may begin any more. */
  private readonly underWay = new Map<string, Promise<void>>();
  private isStopped = false;

  constructor(
    private readonly database: Database,
    private readonly index: VectorIndex,
    private readonly embeddings: Embeddings,
    private readonly logger: Logger,
  ) {}

  /**
   * Indexes rows of a person's that are not in the current space yet: what a job just stored, and what a crash or an
   * outage left. Throws `unavailable` while embedding or the index is out of reach.
   */
  async indexPending(personId: string): Promise<void> {
    const space = this.embeddings.knownSpace ?? (await this.embeddings.currentSpace());
    while (!this.isStopped) {
      const rows = await this.database.reader({ personId }).$queryRaw<Unindexed[]>`
        SELECT id, person_id AS "personId", companion_id AS "companionId", audience, text, conversation,
          said_at AS "saidAt", indexed_in AS "indexedIn"
        FROM (${missingFrom(space.id, sql`*`, sql`person_id = ${personId}::uuid`)}) AS missing
        ORDER BY id LIMIT ${INDEX_BATCH}`;
      if (rows.length === 0) return;
      await this.adoptOrWrite(space, rows, { personId });
      // If the space changed meanwhile, a reindex moves the rest; this only adds what is new.
      if (rows.length < INDEX_BATCH || this.embeddings.knownSpace?.id !== space.id) return;
    }
  }

  /**
   * Indexes pending rows, a person's one time after the other, and leaves them to upkeep where that fails: the rows are
   * stored, and recall finds them by their words. Goes on in the background where it takes long.
   * @param change what was done to the rows, for the log: "the import"
   */
  async indexPendingLater(personId: string, change: string): Promise<void> {
    const before = this.underWay.get(personId);
    const ended = Promise.resolve(before)
      .then(() => this.indexPending(personId))
      .catch(this.warnOf(change))
      .finally(() => {
        if (this.underWay.get(personId) === ended) this.underWay.delete(personId);
      });
    this.underWay.set(personId, ended);
    await isDoneWithin(ended, WAIT_MS);
  }

  /** Ends what is indexed in the background, after its batch: upkeep does the rest. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.underWay.values());
  }

  /**
   * Embeds texts whose points can be written with their rows. Null where anything outside of Postgres has to agree with
   * the rows, which are then indexed after they were stored.
   */
  async prepare(texts: string[]): Promise<PreparedPoints | null> {
    const space = this.embeddings.ownSpace;
    const { within } = this.index;
    if (!space || !within) return null;
    const { vectors } = await this.embeddings.documents(texts);
    const vectorOf = new Map(texts.map((text, n) => [text, vectors[n]]));
    const vectorsOf = (rows: readonly ToIndex[]) => rows.map(({ text }) => present(vectorOf.get(text)));
    return {
      spaceId: space.id,
      write: (tx, personId, rows) => within.add(tx, personId, space, pointsOf(rows, vectorsOf(rows))),
    };
  }

  /** Indexes rows that were just stored. Throws as `indexPending` does; upkeep does the rest. */
  async indexRows(personId: string, rows: readonly ToIndex[]): Promise<void> {
    for (const some of inParts(rows, INDEX_BATCH)) await this.write(some, { personId });
  }

  /** Marks rows whose points are there, and writes the others'. Throws as `indexPending` does. */
  async adoptOrWrite(space: EmbeddingSpace, rows: readonly Unindexed[], scope: Scope): Promise<void> {
    const held = await this.adopt(space, rows);
    const others = rows.filter(({ id }) => !held.has(id));
    if (others.length > 0) await this.write(others, scope);
  }

  /** Embeds rows, writes their points, marks the rows. A row that was forgotten meanwhile leaves no point behind. */
  async write(rows: readonly ToIndex[], scope: Scope): Promise<void> {
    const { space, vectors } = await this.embeddings.documents(rows.map(({ text }) => text));
    const points = pointsOf(rows, vectors);
    const { within } = this.index;
    if (within) {
      for (const [personId, own] of Map.groupBy(rows, (row) => row.personId))
        await this.writeWithin(within, personId, space, { rows: own, points });
    } else await this.writeOutside(space, { rows, points }, scope);
    step('embedding-written');
    await this.writeToNext(space, rows);
  }

  /** Marks rows and writes their points in one transaction. */
  private async writeWithin(
    within: PointsWithin,
    personId: string,
    space: EmbeddingSpace,
    { rows, points }: WrittenRows,
  ): Promise<void> {
    const isCommitted = await this.database.write({ personId }, async (tx): Promise<() => void> => {
      // A crash loses marks and points together, and upkeep then finds the rows unmarked.
      dontWaitForDisk(tx);
      // Remembering locks the version before rows of other places.
      const [, marked] = await Promise.all([lockPerson(tx, personId), mark(tx, space, rows)]);
      const left = points.filter(({ id }) => marked.get(id)?.isSame);
      return left.length > 0 ? within.replace(tx, personId, space, left) : () => undefined;
    });
    isCommitted();
  }

  private async writeOutside(space: EmbeddingSpace, { rows, points }: WrittenRows, scope: Scope) {
    await this.index.upsert(space, points);
    const marked = await changeLocked(this.database, scope, rows, (tx) => mark(tx, space, rows));
    await this.remove(points.filter(({ id }) => !marked.has(id)));
  }

  /**
   * Marks rows whose points the index has, made of the same: a change of spaces has written them, or a backup brought
   * them back. They need no embedding. Returns their ids.
   */
  private async adopt(space: EmbeddingSpace, rows: readonly Unindexed[]): Promise<Set<string>> {
    // No backup brings points back to the index in Postgres: an unmarked row has changed since its point was written,
    // though both may have the same terms.
    const mayBe = this.index.within ? rows.filter(({ indexedIn }) => indexedIn !== null) : rows;
    if (mayBe.length === 0) return new Set();
    const held = await this.index.held(
      space.id,
      mayBe.map((row) => ({ id: row.id, terms: analyseText(row.text), digest: digestOf(row) })),
    );
    const same = mayBe.filter(({ id }) => held.has(id));
    // A row that was corrected meanwhile has other words than its point.
    if (same.length > 0)
      await changeLocked(
        this.database,
        'system',
        same,
        (tx) => tx.$executeRaw`
          UPDATE memories SET indexed_in = ${space.id}
          FROM unnest(${same.map(({ id }) => id)}::uuid[], ${same.map(({ text }) => text)}::text[]) AS held (id, text)
          WHERE memories.id = held.id AND memories.text = held.text AND shelf = 'open'`,
      );
    return held;
  }

  /**
   * Writes rows to a space that is being filled. Throws as `indexPending` does. One that changed, or was forgotten, while it
   * was embedded leaves no old words there.
   */
  async writeTo(space: EmbeddingSpace, rows: readonly ToIndex[]): Promise<void> {
    for (let left = rows; left.length > 0;) {
      const vectors = await this.embeddings.documentsIn(
        space,
        left.map(({ text }) => text),
      );
      await this.index.upsert(space, pointsOf(left, vectors));
      const written = new Map(left.map(({ id, text }) => [id, text]));
      const open = await this.database.asSystem((tx) =>
        tx.memory.findMany({ where: { id: { in: [...written.keys()] }, shelf: 'open' }, select: TO_INDEX }),
      );
      const stays = new Set(open.map(({ id }) => id));
      await this.remove(left.filter(({ id }) => !stays.has(id)));
      left = open.filter(({ id, text }) => written.get(id) !== text);
    }
  }

  /** Removes points of any people from every space. */
  async remove(points: readonly { id: string; personId: string }[]): Promise<void> {
    for (const [personId, own] of Map.groupBy(points, (point) => point.personId))
      await this.index.delete(personId, { ids: own.map(({ id }) => id) });
  }

  /** Writes rows to the space that is being filled beside the current one, if any. Reindexing writes what fails here. */
  private async writeToNext(space: EmbeddingSpace, rows: readonly ToIndex[]): Promise<void> {
    const next = this.embeddings.nextSpace;
    if (next === null || next.id === space.id) return;
    await this.writeTo(next, rows).catch((error: unknown) => {
      this.logger.warn({ err: error, space: next.id }, 'could not write to the next embedding space');
    });
  }

  private warnOf(change: string): (error: unknown) => void {
    return (err) => this.logger.warn({ err, change }, 'could not index changed memories; upkeep will');
  }
}

/** Rows, and the points that their words make. */
interface WrittenRows {
  readonly rows: readonly ToIndex[];
  readonly points: readonly IndexPoint[];
}

/**
 * Marks rows as being in a space. Returns those that may be there, by id, and whether their words are still the same: one
 * that was put right meanwhile is left for upkeep to write.
 */
async function mark(
  tx: Writer,
  space: EmbeddingSpace,
  rows: readonly ToIndex[],
): Promise<ReadonlyMap<string, { isSame: boolean }>> {
  const marked = await tx.$queryRaw<{ id: string; isSame: boolean }[]>`
    UPDATE memories SET indexed_in = CASE WHEN memories.text = held.text THEN ${space.id} END
    FROM unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ text }) => text)}::text[]) AS held (id, text)
    WHERE memories.id = held.id AND shelf = 'open'
    RETURNING memories.id, memories.text = held.text AS "isSame"`;
  return new Map(marked.map((row) => [row.id, row]));
}

function pointsOf(rows: readonly ToIndex[], vectors: readonly Float32Array[]): IndexPoint[] {
  return rows.map(({ text, ...row }, i) => ({
    ...row,
    vector: present(vectors[i]),
    terms: analyseText(text),
    digest: digestOf({ ...row, text }),
  }));
}
