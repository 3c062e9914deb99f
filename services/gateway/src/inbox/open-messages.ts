import { DiscordTarget, Door } from '@kith/contracts';
import type { Writer } from '@kith/database';
import { z } from 'zod';
import type { ClaimedMessage } from './claim.js';
import type { Speaker } from '../conversations/conversations.js';
import { KeptQuote } from './kept-quote.js';
import { wordsOfDropped } from './words-of-dropped.js';

/** Bytes above which pictures are whole ones and count as one: to count them the store would unpack them all. */
const WHOLE_BYTES = 10_000;
/** Messages read at once: a flood becomes few turns, and the next claim finds the rest. */
const OPEN_LIMIT = 500;

/**
 * Reads a speaker's messages without an outcome, oldest first; drops those that can't be read. Does not read their
 * pictures: those of so many messages would not fit in memory.
 */
export async function openMessages(
  tx: Writer,
  { conversationId, personId }: Speaker,
): Promise<ClaimedMessage[]> {
  const rows = await tx.$queryRaw<InboxRow[]>`
    SELECT id, origin, received_at AS "receivedAt", attempts, lease_token AS "leaseToken", door, external_id AS "externalId", text, target, quote, nickname,
      sent_at AS "sentAt", revision, overtaken, deleted_at IS NOT NULL AS deleted, stopped_at IS NOT NULL AS stopped,
      CASE WHEN pictures IS NULL THEN 0 WHEN pg_column_size(pictures) > ${WHOLE_BYTES} THEN 1
        ELSE jsonb_array_length(jsonb_path_query_array(pictures, '$[*]')) END AS "pictureCount"
    FROM inbox
    WHERE conversation_id = ${conversationId}::uuid AND person_id = ${personId}::uuid AND outcome IS NULL
    ORDER BY id LIMIT ${OPEN_LIMIT}`;
  const open: ClaimedMessage[] = [];
  const unreadable: bigint[] = [];
  for (const row of rows) {
    const { data } = Addressed.safeParse(row);
    if (data) open.push({ ...row, ...data });
    else unreadable.push(row.id);
  }
  // Their answer has no address. Left open, they would block the speaker's later messages for ever.
  if (unreadable.length > 0)
    await tx.$executeRaw`
      UPDATE inbox SET outcome = 'dropped', outcome_reason = 'unreadable', ended_at = now(), text = ${wordsOfDropped}
      WHERE id = ANY(${unreadable})`;
  return open;
}

/** Part of a row that says where its answer goes. */
const Addressed = z.object({
  door: Door,
  target: DiscordTarget.nullable(),
  // An answer can do without it.
  quote: KeptQuote.nullable().catch(null),
});

type InboxRow = Omit<ClaimedMessage, keyof z.infer<typeof Addressed>>;
