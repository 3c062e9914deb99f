import type { Tx } from '@kith/database';
import { emptyLines, outdateReplies } from './empty-lines.js';
import { tellingWords } from './find-quotes.js';
import { quotesOf } from './load-quotes.js';

/** Lines of a channel that one step covers: half of those `quotesOf` looks at, so that each has as many after it. */
const STEP_LINES = 2_500;

/**
 * Deletes what a person said and was told in channels, a stretch of one channel at a time, with the replies to others
 * that repeat it. Nobody's turn that is under way keeps a reply that was written with it. Returns how many lines it
 * deleted: none when nothing is left.
 */
export async function deleteSharedLines(tx: Tx, personId: string): Promise<number> {
  await outdateReplies(tx, personId);
  const own = await tx.$queryRaw<{ id: bigint; conversationId: string; role: string; text: string }[]>`
    WITH start AS (
      SELECT line.conversation_id, min(line.id) AS id
      FROM turns JOIN transcript AS line USING (turn_id)
      JOIN conversations ON conversations.conversation_id = line.conversation_id
      WHERE turns.person_id = ${personId}::uuid AND conversations.person_id IS NULL
      GROUP BY line.conversation_id LIMIT 1
    ), stretch AS MATERIALIZED (
      SELECT line.* FROM start CROSS JOIN LATERAL (
        SELECT id, conversation_id, person_id, role, text FROM transcript
        WHERE conversation_id = start.conversation_id AND id >= start.id ORDER BY id LIMIT ${STEP_LINES}
      ) AS line
    )
    SELECT id, conversation_id AS "conversationId", role, text FROM stretch WHERE person_id = ${personId}::uuid`;
  const said = own.filter(({ role }) => role === 'person');
  const gone = new Map(said.map(({ id, text }) => [id, tellingWords(text)]));
  await emptyLines(tx, await quotesOf(tx, said, gone, true), 'forgotten');
  return tx.$executeRaw`DELETE FROM transcript WHERE id = ANY (${own.map(({ id }) => id)}::bigint[])`;
}
