import { sql } from '@kith/database';

/**
 * SQL, on a message, that is true where none of its words may stay: it was forgotten while it waited, or is of private talk
 * that is over.
 */
export const losesWords = sql`(
  forgotten_by IS NOT NULL OR kith_private(person_id, ARRAY[sent_at]) IS NOT DISTINCT FROM 'over')`;

/** SQL of the words that a message keeps when it is dropped. One with a turn loses its words there (`saveTurn`). */
export const wordsOfDropped = sql`CASE WHEN ${losesWords} THEN '' ELSE text END`;
