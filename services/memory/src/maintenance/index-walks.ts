import { type EmbeddingSpace, lastOf } from '@kith/contracts';
import type { Database } from '@kith/database';
import { INDEX_BATCH, TO_INDEX, type Unindexed } from '../index/index-writer.js';
import type { PointPage, VectorIndex } from '../index/vector-index.js';

/** Ids that are read at once: some 50 KB. */
const SCAN_PAGE = 512;

type WalkFilter = ReturnType<typeof notIn> | { shelf?: string; indexedIn?: string };

/** Selects open rows that have no point in a space. */
export function notIn(space: { id: string }) {
  return { shelf: 'open', OR: [{ indexedIn: null }, { indexedIn: { not: space.id } }] };
}

/** Walks over the ids of everybody's rows, in their order. */
export function walkRows(
  database: Database,
  where: WalkFilter = {},
): AsyncGenerator<{ id: string; personId: string; indexedIn: string | null; shelf: string }> {
  return walk(SCAN_PAGE, (after) =>
    database.asSystem((tx) =>
      tx.memory.findMany({
        where: { ...where, ...after },
        orderBy: { id: 'asc' },
        take: SCAN_PAGE,
        select: { id: true, personId: true, indexedIn: true, shelf: true },
      }),
    ),
  );
}

/** Walks over everybody's rows as the index takes them, a batch at a time; each once, whatever becomes of them. */
export function walkBatches(database: Database, where: WalkFilter): AsyncGenerator<Unindexed[]> {
  const rows = walk(INDEX_BATCH, (after) =>
    database.asSystem((tx) =>
      tx.memory.findMany({
        where: { ...where, ...after },
        orderBy: { id: 'asc' },
        take: INDEX_BATCH,
        select: { ...TO_INDEX, indexedIn: true },
      }),
    ),
  );
  return batched(rows);
}

/** Walks over the points of a space, in the order of their ids. */
export async function* walkPoints(
  index: VectorIndex,
  space: EmbeddingSpace,
): AsyncGenerator<{ id: string; personId: string }> {
  let after: string | null = null;
  do {
    const page: PointPage = await index.scan(space.id, after, SCAN_PAGE);
    yield* page.points;
    after = page.next;
  } while (after !== null);
}

/** Groups items into batches, of the index's size unless another is given. */
export async function* batched<T>(all: AsyncIterable<T>, size = INDEX_BATCH): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const each of all) {
    batch.push(each);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function* walk<Row extends { id: string }>(
  pageSize: number,
  read: (after: { id?: { gt: string } }) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let after = {};
  for (;;) {
    const page = await read(after);
    yield* page;
    if (page.length < pageSize) return;
    after = { id: { gt: lastOf(page).id } };
  }
}
