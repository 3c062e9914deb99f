import { sql, type Sql } from '@kith/database';
import type { Claim } from './claim.js';

/**
 * SQL, on the conversation's row, that is true while a reply to a claim may still be told: nothing in the conversation was
 * forgotten or changed since, and no message of the burst was forgotten.
 */
export function isCurrent({ changeCount, burst }: Pick<Claim, 'changeCount' | 'burst'>): Sql {
  return sql`(retold = ${changeCount} AND NOT EXISTS (
    SELECT 1 FROM inbox WHERE id = ANY (${burst.map(({ id }) => id)}::bigint[]) AND forgotten_by IS NOT NULL))`;
}
