import { z } from 'zod';
import { Uuid } from '../values/words.js';

/**
 * A whole number of an address, which tells it by digits alone. A number is easily made of other texts too: 0 of a space,
 * 16 of `0x10`. Its default is a `prefault`, or the API page does not show it.
 */
export function addressNumber(min: number, max: number) {
  return z.preprocess<unknown, z.ZodInt, number>(
    fromDigits,
    z.int(`a whole number from ${min} to ${max}`).min(min).max(max),
  );
}

/** Yes or no of an address, in the words that `z.stringbool` reads; the API page shows a boolean. */
export function addressFlag() {
  return z.preprocess<unknown, z.ZodBoolean, boolean>(
    (given) => z.stringbool().safeParse(given).data ?? given,
    z.boolean(),
  );
}

function fromDigits(given: unknown): unknown {
  return typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given;
}

/** Entries of a page: enough for a screen by default, few enough at most for one statement and one answer. */
export const PageLimit = addressNumber(1, 200).prefault(50).describe('entries of a page');

/** A page of a list whose cursor is the id of the last entry before it. */
export const Page = z.strictObject({
  limit: PageLimit,
  cursor: Uuid.optional().describe('`nextCursor` of the page before'),
});

/** A cursor of `writeTimeCursor`; one that is made up is refused where it is read. */
export const TimeCursor = z.string().max(200);

/** A page of a list that is sorted by a time, whose ids don't follow it. */
export const TimePage = Page.extend({
  cursor: TimeCursor.optional().describe('`nextCursor` of the page before'),
});

/** A cursor that is the number of a row. */
export const RowCursor = z.string().regex(/^\d{1,18}$/, 'is the nextCursor of a page before');
