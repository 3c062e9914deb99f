import { AppError, type DiscordTarget, type Door, type Quote, type TurnOrigin } from '@kith/contracts';
import { toJsonb, type Database } from '@kith/database';

export interface IncomingMessage {
  conversationId: string;
  personId: string;
  door: Door;
  /** The door's own message id: the same one again does nothing. */
  externalId: string;
  origin: TurnOrigin;
  text: string;
  /** Where the reply goes when its door must be called. */
  target: DiscordTarget | null;
  /** What it refers to. */
  quote?: Quote | undefined;
  sentAt: Date;
}

export interface Accepted {
  inboxId: string;
  duplicate: boolean;
  /** How many messages of this person waited for an outcome already. */
  waiting: number;
}

/**
 * Commits the inbox row. When this returns, the message is accepted: it will end in exactly one outcome,
 * whatever happens to this process or to Redis. One message of a speaker at a time: a number that is given out
 * before a later one and committed after it would be answered after it. Nothing was said later than it arrived: a time
 * ahead would be ahead of all that is felt and remembered from then on.
 */
export async function acceptMessage(database: Database, message: IncomingMessage): Promise<Accepted> {
  const { conversationId, personId, externalId } = message;
  const target = message.target === null ? null : JSON.stringify(message.target);
  const quote = message.quote ? toJsonb(message.quote) : null;
  return database.write({ personId }, async (tx) => {
    const [inserted] = await tx.$queryRaw<{ id: bigint; waiting: number }[]>`
      WITH turnstile AS MATERIALIZED (
        SELECT pg_advisory_xact_lock(hashtextextended(${`inbox:${conversationId}:${personId}`}, 0))
      )
      INSERT INTO inbox (conversation_id, person_id, door, external_id, origin, text, target, quote, sent_at)
      SELECT ${conversationId}::uuid, ${personId}::uuid, ${message.door}, ${externalId},
             ${message.origin}, ${message.text}, ${target}::jsonb, ${quote}::jsonb, least(${message.sentAt}, now())
      FROM turnstile
      ON CONFLICT (conversation_id, external_id) DO NOTHING
      RETURNING id, (
        SELECT count(*)::int FROM inbox WHERE person_id = ${personId}::uuid AND outcome IS NULL
      ) AS waiting`;
    if (inserted) return { inboxId: String(inserted.id), duplicate: false, waiting: inserted.waiting };
    const [earlier] = await tx.$queryRaw<{ id: bigint }[]>`
      SELECT id FROM inbox WHERE conversation_id = ${conversationId}::uuid AND external_id = ${externalId}`;
    if (!earlier) throw new AppError('conflict', 'somebody else’s message has that id in this conversation');
    return { inboxId: String(earlier.id), duplicate: true, waiting: 0 };
  });
}
