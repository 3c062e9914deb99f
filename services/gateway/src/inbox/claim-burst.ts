import { DiscordTarget, Door, Quote, SentPicture } from '@kith/contracts';
import type { Database, Writer } from '@kith/database';
import { z } from 'zod';
import type { Claim, ClaimedMessage } from './claim.js';
import { decideBurst, type BurstLimits } from './decide-burst.js';
import { LEASE_MS } from './lease.js';
import type { Speaker } from '../conversations/conversations.js';
import { readTalk } from '../conversations/read-talk.js';

export type ClaimResult =
  | { kind: 'claimed'; claim: Claim }
  /** Another worker answers the speaker, and looks again when done. */
  | { kind: 'busy' }
  /** The burst may still grow. */
  | { kind: 'wait' }
  | { kind: 'nothing' };

/**
 * Takes a speaker's next burst. The lease is on the burst's first message, which is always the speaker's first open
 * one: whoever wants to answer the speaker meets it there.
 */
export function claimBurst(
  database: Database,
  { conversationId, personId }: Speaker,
  limits: BurstLimits,
): Promise<ClaimResult> {
  return database.write({ conversationId }, async (tx): Promise<ClaimResult> => {
    // Given at once, they are sent at once. The second sees what the lease's last holder committed while the first one
    // waited for it.
    const [[head], open] = await Promise.all([
      tx.$queryRaw<HeadRow[]>`
      SELECT companion_id AS "companionId", audience, kind, lease_token AS "leaseToken", retold, now() AS now,
        coalesce(lease_until > now(), false) AS "isLeased"
      FROM inbox JOIN conversations USING (conversation_id)
      WHERE conversation_id = ${conversationId}::uuid AND inbox.person_id = ${personId}::uuid AND outcome IS NULL
      ORDER BY inbox.id LIMIT 1 FOR UPDATE OF inbox`,
      openMessages(tx, { conversationId, personId }),
    ]);
    if (!head) return { kind: 'nothing' };
    const { isLeased, now, ...place } = head;
    if (isLeased) return { kind: 'busy' };
    // Only doors that deliver later gather bursts: where a caller waits, a message is a request of its own.
    const gathers = open[0]?.target && open[0].origin === 'message';
    const decision = decideBurst(open, gathers ? limits : { ...limits, debounceMs: 0 }, now);
    if (decision.kind !== 'take') return decision;
    const { burst, poison } = decision;
    const leaseToken = place.leaseToken + 1;
    const [, talk] = await tx.last(() =>
      Promise.all([
        tx.$executeRaw`
          UPDATE inbox SET attempts = attempts + 1,
            lease_token = CASE WHEN id = ${burst[0]!.id} THEN ${leaseToken} ELSE lease_token END,
            lease_until = CASE WHEN id = ${burst[0]!.id} THEN now() + ${LEASE_MS} * interval '1 millisecond' END
          WHERE id = ANY(${burst.map(({ id }) => id)})`,
        readTalk(tx, { conversationId, personId }),
      ]),
    );
    return {
      kind: 'claimed',
      claim: { conversationId, personId, ...place, leaseToken, burst, poison, claimedAt: now, ...talk },
    };
  });
}

/** Messages read at once: a flood becomes few turns, and the look after it finds the rest. */
const OPEN_LIMIT = 500;

async function openMessages(tx: Writer, { conversationId, personId }: Speaker): Promise<ClaimedMessage[]> {
  const rows = await tx.$queryRaw<InboxRow[]>`
    SELECT id, origin, received_at AS "receivedAt", attempts, door, external_id AS "externalId", text, target, quote,
      pictures, sent_at AS "sentAt", revision, overtaken, deleted_at IS NOT NULL AS deleted, stopped_at IS NOT NULL AS stopped
    FROM inbox
    WHERE conversation_id = ${conversationId}::uuid AND person_id = ${personId}::uuid AND outcome IS NULL
    ORDER BY id LIMIT ${OPEN_LIMIT}`;
  const open = rows.map((row) => {
    const addressed = Addressed.safeParse(row).data;
    return {
      ...row,
      door: addressed?.door,
      target: addressed?.target ?? null,
      quote: addressed?.quote ?? null,
      pictures: addressed?.pictures ?? [],
    };
  });
  const unreadable = open.filter(({ door }) => door === undefined).map(({ id }) => id);
  // Nobody can say whom to answer: left open, it would keep what comes after it from ever being answered.
  if (unreadable.length > 0)
    await tx.$executeRaw`
      UPDATE inbox SET outcome = 'dropped', outcome_reason = 'unreadable', ended_at = now()
      WHERE id = ANY(${unreadable})`;
  return open.filter((message): message is ClaimedMessage => message.door !== undefined);
}

/** Part of a row that says where its answer goes. */
const Addressed = z.object({
  door: Door,
  target: DiscordTarget.nullable(),
  // An answer can do without it.
  quote: Quote.nullable().catch(null),
  pictures: z.array(SentPicture).nullable().catch(null),
});

/** The speaker's first open message, which carries the lease, and where it was said. */
interface HeadRow extends Pick<Claim, 'companionId' | 'audience' | 'kind' | 'leaseToken' | 'retold'> {
  isLeased: boolean;
  now: Date;
}

type InboxRow = Omit<ClaimedMessage, keyof z.infer<typeof Addressed>>;
