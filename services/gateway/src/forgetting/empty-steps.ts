import type { Tx } from '@kith/database';

/**
 * Empties the steps of every conversation in which a person took part: a thought may tell of any line and memory that
 * its prompt held, whoever's turn it was. What was called and how it ended stays, without words.
 */
export async function emptySteps(tx: Tx, personId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE turn_steps SET sealed = NULL, calls = coalesce((
      SELECT jsonb_agg(entry.value - 'sealed' ORDER BY position)
      FROM jsonb_array_elements(calls) WITH ORDINALITY AS entry (value, position)), '[]')
    WHERE sealed IS NOT NULL AND conversation_id IN (
      SELECT conversation_id FROM conversations WHERE person_id = ${personId}::uuid
      UNION SELECT conversation_id FROM turns WHERE person_id = ${personId}::uuid
      UNION SELECT conversation_id FROM inbox WHERE person_id = ${personId}::uuid AND outcome IS NULL)`;
}
