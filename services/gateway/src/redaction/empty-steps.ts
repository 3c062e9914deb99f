import { sql, type Sql, type Tx } from '@kith/database';

/**
 * Empties a person's steps, and everybody's in some conversations: a thought may repeat any line or memory of its prompt.
 * Which tools were called, and how that ended, stays.
 * @param shared selects conversations where others' prompts held the person's lines; by default none
 */
export async function emptySteps(
  tx: Tx,
  personId: string,
  shared: Sql = sql`SELECT NULL::uuid`,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE turn_steps SET sealed = NULL, calls = coalesce((
      SELECT jsonb_agg(entry.value - 'sealed' ORDER BY position)
      FROM jsonb_array_elements(calls) WITH ORDINALITY AS entry (value, position)), '[]')
    WHERE sealed IS NOT NULL AND (person_id = ${personId}::uuid OR conversation_id IN (${shared}))`;
}
