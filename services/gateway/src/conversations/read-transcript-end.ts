import { emptySql, type Reader, type Sql } from '@kith/database';
import { PROMPT_LINES } from '../forgetting/find-quotes.js';
import { toldTo } from '../forgetting/may-tell.js';

/** Line of the conversation so far. */
export interface EarlierMessage {
  role: 'person' | 'companion';
  name: string;
  text: string;
  at: Date;
  turnId: string;
  /** The door's own id; null for what the companion said. */
  externalId: string | null;
}

/**
 * Reads what may be told this person of the conversation's end, oldest first: more than fits a prompt, which the
 * assembler cuts to the budget.
 * @param where a condition without which nothing is read
 */
export async function readTranscriptEnd(
  reader: Reader,
  { conversationId, personId }: { conversationId: string; personId: string },
  where: Sql = emptySql,
): Promise<EarlierMessage[]> {
  const rows = await reader.$queryRaw<EarlierMessage[]>`
    SELECT role, name, text, at, turn_id AS "turnId", external_id AS "externalId" FROM transcript
    WHERE conversation_id = ${conversationId}::uuid AND ${toldTo(personId)} ${where}
    ORDER BY id DESC LIMIT ${PROMPT_LINES}`;
  return rows.reverse();
}
