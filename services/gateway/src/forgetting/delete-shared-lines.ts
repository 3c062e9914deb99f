import type { Tx } from '@kith/database';
import { emptyLines, outdateReplies } from './empty-lines.js';
import { tellingWords } from './find-quotes.js';
import { quotesOf } from './load-quotes.js';

/**
 * Deletes what a person said and was told in a channel, with the replies to others that repeat it, one channel at a time.
 * Nobody's turn that is under way keeps a reply that was written with it. Returns how many lines it deleted: none when
 * nothing is left.
 */
export async function deleteSharedLines(tx: Tx, personId: string): Promise<number> {
  await outdateReplies(tx, personId);
  const own = await tx.$queryRaw<{ id: bigint; conversationId: string; role: string; text: string }[]>`
    WITH channel AS MATERIALIZED (
      SELECT line.conversation_id
      FROM turns JOIN transcript AS line USING (turn_id)
      JOIN conversations ON conversations.conversation_id = line.conversation_id
      WHERE turns.person_id = ${personId}::uuid AND conversations.person_id IS NULL
      LIMIT 1
    )
    SELECT id, conversation_id AS "conversationId", role, text FROM transcript
    WHERE conversation_id = (SELECT conversation_id FROM channel) AND person_id = ${personId}::uuid`;
  const said = own.filter(({ role }) => role === 'person');
  const gone = new Map(said.map(({ id, text }) => [id, tellingWords(text)]));
  await emptyLines(tx, await quotesOf(tx, said, gone, true), 'forgotten');
  return tx.$executeRaw`DELETE FROM transcript WHERE id = ANY (${own.map(({ id }) => id)}::bigint[])`;
}
