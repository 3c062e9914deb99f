/** A list that is read page by page. */
export interface ReadList<T> {
  items: T[];
  /** Null where the API does not count. */
  total: number | null;
  /** Beginning of the next page; null after the last. */
  cursor: string | null;
}

/** Reads one page; without a cursor the first. */
export type ReadPage<T> = (limit: number, cursor?: string) => Promise<ReadList<T>>;

/** Entries of a page: more than a screen shows. */
const PAGE_SIZE = 50;
/** The API gives no more at once. */
const MAX_AT_ONCE = 200;

/**
 * Reads the first page, or as many entries as are shown: a change leaves the reader where they are in the list.
 * @param shown counts them; more may come while it reads
 */
export async function readAgain<T>(readPage: ReadPage<T>, shown: () => number): Promise<ReadList<T>> {
  let list = await readPage(Math.min(Math.max(shown(), PAGE_SIZE), MAX_AT_ONCE));
  while (list.items.length < shown() && list.cursor !== null) {
    const missing = Math.min(shown() - list.items.length, MAX_AT_ONCE);
    list = joined(list, await readPage(missing, list.cursor));
  }
  return list;
}

/** Reads the page after a list, and adds it; a whole list stays as it is. */
export async function readOn<T>(readPage: ReadPage<T>, list: ReadList<T>): Promise<ReadList<T>> {
  return list.cursor === null ? list : joined(list, await readPage(PAGE_SIZE, list.cursor));
}

function joined<T>(list: ReadList<T>, next: ReadList<T>): ReadList<T> {
  return { ...next, items: [...list.items, ...next.items] };
}
