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

/**
 * SQL, on a message, that is true where none of its words may stay: it was forgotten while it waited, or is of private talk
 * that is over.
 */
export const losesWords = sql`(
  forgotten_by IS NOT NULL OR kith_private(person_id, ARRAY[sent_at]) IS NOT DISTINCT FROM 'over')`;

/** SQL of the words that a message keeps when it is dropped. One with a turn loses its words there (`saveTurn`). */
export const wordsOfDropped = sql`CASE WHEN ${losesWords} THEN '' ELSE text END`;
