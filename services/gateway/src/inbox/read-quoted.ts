import { cutText, DAY_MS, firstOf, MAX_QUOTE_CHARACTERS, type Quote } from '@kith/contracts';
import type { Database, Reader } from '@kith/database';
import { mayTell } from '../conversations/may-tell.js';
import { readErasedAt } from '../people/account-marks.js';
import { conversationsOfPlaces } from '../redaction/empty-lines.js';
import { quotedKey } from '../redaction/reply-quotes.js';
import type { Claim } from './claim.js';

/** Message that a person's message refers to. */
export interface FoundQuote extends Pick<Quote, 'name' | 'text'> {
  /** Ids of the message itself, or of the messages that the companion answered with it. */
  sources: string[];
  /** Its lines in the transcript; of a reply sent in chunks, the line of the whole reply. */
  lineIds: bigint[];
  /** Keys (`quotedKey`) of its sources, or of itself, if it is known here and has no line in this conversation. */
  keys: string[];
  /** The person who wrote it; null for the companion, and for somebody who is not known here. */
  personId: string | null;
  /** The person who refers to it said it. */
  isOwn: boolean;
}

/** Quoted message, with its line if it has one. */
interface QuotedLine {
  messageId: string;
  lineId: bigint | null;
  /** Conversation of the line. */
  conversationId: string | null;
  personId: string;
  text: string;
  withheld: string | null;
  /** Edited here: `text` is newer than the words that the door sent. */
  isChanged: boolean;
  /** Message without a line that was forgotten, deleted or emptied, or said in private talk that is over; or such a reply. */
  isGone: boolean;
  sources: string[];
}

/** A Discord id is the time of its message in milliseconds since this one, shifted by 22 bits. */
const DISCORD_EPOCH_MS = 1_420_070_400_000n;
/** Longest time between storing a reply and sending it: Discord may be away. */
const MAX_WAIT_MS = 3 * DAY_MS;
/** Largest expected difference between the clocks of Discord and of the store, which may be set wrong. */
const MAX_SKEW_MS = DAY_MS;

/**
 * Reads the messages that a burst refers to. The door sends their words, even if they were forgotten here long ago. Leaves
 * out messages that may not be told, also of people who have been erased since, and gives edited ones their new words.
 */
export async function readQuoted(
  database: Database,
  { conversationId, personId, burst }: Pick<Claim, 'conversationId' | 'personId' | 'burst'>,
): Promise<FoundQuote[]> {
  const quotes = burst.flatMap(({ quote, deleted }) => (quote && !deleted ? [quote] : []));
  const ids = (own: boolean) =>
    quotes.flatMap(({ name, messageId }) =>
      messageId !== undefined && (name === null) === own ? [messageId] : [],
    );
  const [replies, messages] = [ids(true), ids(false)];
  const marks = quotes.flatMap(({ author }) => author?.mark ?? []);
  // As the system: a person's own scope does not show another person's message.
  const [lines, erasedAt] =
    replies.length + messages.length + marks.length === 0
      ? [[], new Map<string, Date>()]
      : await database.read('system', async (reader) => [
          [
            ...(messages.length > 0 ? await messageLines(reader, firstOf(burst).door, messages) : []),
            ...(replies.length > 0 ? await replyLines(reader, conversationId, replies) : []),
          ],
          marks.length > 0 ? await readErasedAt(reader, marks) : new Map<string, Date>(),
        ]);
  return quotes.flatMap(({ name, text, messageId, author }): FoundQuote[] => {
    const erased = author && erasedAt.get(author.mark);
    if (erased && new Date(author.saidAt) <= erased) return [];
    const its = lines.filter((line) => line.messageId === messageId);
    if (its.some((line) => line.isGone || !mayTell(line, personId))) return [];
    const changed = its.find((line) => line.isChanged);
    const isElsewhere = its.every((line) => line.conversationId !== conversationId);
    const known = [...new Set(its.flatMap(({ sources }) => sources))];
    // A reply that answers nothing is named itself.
    const named = known.length > 0 ? known : its.slice(0, 1).map((line) => line.messageId);
    return [
      {
        name,
        text: changed ? cutText(changed.text, MAX_QUOTE_CHARACTERS) : text,
        sources: its.length > 0 ? known : messageId ? [messageId] : [],
        lineIds: its.flatMap(({ lineId }) => lineId ?? []),
        keys: isElsewhere ? named.map((source) => quotedKey(firstOf(burst).door, source)) : [],
        personId: name === null ? null : (its[0]?.personId ?? null),
        isOwn: name !== null && its.some((line) => line.personId === personId),
      },
    ];
  });
}

/**
 * Reads people's messages. One may have several lines, one for each companion that it was told. One without a line is
 * private if its person talks in private: its line will be.
 */
function messageLines(reader: Reader, door: string, ids: readonly string[]): Promise<QuotedLine[]> {
  return reader.$queryRaw<QuotedLine[]>`
    SELECT said.external_id AS "messageId", line.id AS "lineId", line.conversation_id AS "conversationId",
      said.person_id AS "personId", coalesce(line.text, said.text) AS text,
      CASE WHEN line.id IS NULL AND private_from <= coalesce(said.ended_at, now()) THEN 'private'
        ELSE line.withheld END AS withheld,
      said.revision > 0 OR coalesce(line.revision > 0, false) AS "isChanged",
      line.id IS NULL AND (said.deleted_at IS NOT NULL OR said.forgotten_by IS NOT NULL
        OR said.outcome IS NOT NULL AND said.text = '' OR said.sent_at <@ private_ended) AS "isGone",
      ARRAY[said.external_id] AS sources
    -- An erasure deletes the person first, and what they said at its end.
    FROM inbox AS said LEFT JOIN people USING (person_id)
    LEFT JOIN transcript AS line
      ON line.turn_id = said.turn_id AND line.external_id = said.external_id AND line.role = 'person'
    WHERE said.external_id = ANY (${[...ids]}::text[]) AND said.door = ${door} AND said.origin = 'message'`;
}

/**
 * Reads replies of the companions of a place by their ids at Discord, which tell when they were sent. One whose line
 * retention has taken is gone: nobody knows any more whether it was forgotten, or what it answered.
 */
async function replyLines(reader: Reader, conversationId: string, ids: readonly string[]) {
  const times = ids
    .filter((id) => /^\d{1,20}$/.test(id))
    .map((id) => Number((BigInt(id) >> 22n) + DISCORD_EPOCH_MS));
  if (times.length === 0) return [];
  const from = new Date(Math.min(...times) - MAX_WAIT_MS);
  const to = new Date(Math.max(...times) + MAX_SKEW_MS);
  return reader.$queryRaw<QuotedLine[]>`
    SELECT sent.id AS "messageId", line.id AS "lineId", line.conversation_id AS "conversationId",
      outbox.person_id AS "personId", coalesce(line.text, '') AS text, line.withheld, false AS "isChanged",
      forgotten_at IS NOT NULL OR line.id IS NULL AS "isGone",
      ARRAY(SELECT external_id FROM transcript AS answered
        WHERE answered.turn_id = line.turn_id AND external_id IS NOT NULL) AS sources
    FROM outbox CROSS JOIN LATERAL unnest(platform_ids) AS sent (id)
    LEFT JOIN transcript AS line ON line.turn_id = outbox.turn_id AND line.role = 'companion'
    WHERE outbox.conversation_id IN (${conversationsOfPlaces([conversationId])}) AND outbox.created_at BETWEEN ${from} AND ${to}
      AND sent.id = ANY (${[...ids]}::text[])`;
}
