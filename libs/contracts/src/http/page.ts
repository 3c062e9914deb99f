import { z } from 'zod';

/** A whole number of a query, from 1. */
export function countUpTo(max: number) {
  return z.coerce.number<number>().int().min(1).max(max);
}

/** Entries of a page: enough for a screen by default, few enough at most for one statement and one answer. */
export const PageLimit = countUpTo(200).default(50).describe('entries of a page');

/** A page of a list whose cursor is the id of the last entry before it. */
export const Page = z.strictObject({
  limit: PageLimit,
  cursor: z.uuid().optional().describe('`nextCursor` of the page before'),
});

/** A cursor that is the number of a row. */
export const RowCursor = z.string().regex(/^\d{1,18}$/, 'is the nextCursor of a page before');
