import { z } from 'zod';

/** How many entries a list gives at once. */
export const PAGE_LIMIT = z.coerce.number().int().min(1).max(200).default(50);

/** A page of a list whose cursor is the id of the last entry before it. */
export const Page = z.strictObject({ limit: PAGE_LIMIT, cursor: z.uuid().optional() });
