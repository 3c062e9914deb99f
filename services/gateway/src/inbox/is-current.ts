import { sql, type Sql } from '@kith/database';
import type { Claim } from './claim.js';

/**
 * SQL that tells of a claim, from its conversation's row, whether what is written with it may still be told: nothing
 * there was forgotten or changed since, and no message that it answers was forgotten.
 */
export function isCurrent({ changeCount, burst }: Pick<Claim, 'changeCount' | 'burst'>): Sql {
  return sql`(retold = ${changeCount} AND NOT EXISTS (
    SELECT 1 FROM inbox WHERE id = ANY (${burst.map(({ id }) => id)}::bigint[]) AND forgotten_by IS NOT NULL))`;
}
