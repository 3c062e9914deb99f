import { sql, type Sql, type Tx } from '@kith/database';

/**
 * Empties a person's steps, and everybody's in some conversations: a thought may tell of any line and memory that its
 * prompt held. What was called and how it ended stays, without words.
 * @param shared selects conversations whose prompts held the person's lines; none where only their own did
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
