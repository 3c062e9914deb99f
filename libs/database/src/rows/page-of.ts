import { lastOf } from '@kith/contracts';

/**
 * Cuts a page from rows of which one more than its limit was read, and tells where the next page begins.
 * @param cursorOf the cursor after a row
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => string,
): { page: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  return { page, nextCursor: rows.length > limit ? cursorOf(lastOf(page)) : null };
}
