import { Audience, DiscordTarget, Door, Quote } from '@kith/contracts';
import type { Database, Writer } from '@kith/database';
import { z } from 'zod';
import { decideBurst, type OpenMessage } from './decide-burst.js';
import { readTranscriptEnd, type EarlierMessage } from './transcript-end.js';

export interface ClaimedMessage extends OpenMessage {
  door: Door;
  externalId: string;
  text: string;
  target: DiscordTarget | null;
  quote: Quote | null;
  sentAt: Date;
  /** What it was claimed as: an outcome is refused when it was changed since. */
  revision: number;
  /** Times a newer message took its turn over. */
  overtaken: number;
  /** Its person deleted it before it was answered. */
  deleted: boolean;
}

/** One person in one conversation. A speaker's messages are answered in order; speakers are answered side by side. */
export interface Speaker {
  conversationId: string;
  personId: string;
}

/** The right to answer a speaker, and what there is to answer. */
export interface Claim extends Speaker {
  companionId: string;
  audience: Audience;
  kind: 'direct' | 'channel';
  /** Fencing number of the burst's first message: a commit with an older one is refused. */
  leaseToken: number;
  burst: ClaimedMessage[];
  /** It failed its workers before: apologise for it without going through a turn again. */
  poison: boolean;
  claimedAt: Date;
  /** The conversation so far, oldest first. */
  earlier: EarlierMessage[];
  /** Changes of what it is answered with so far: a reply that was overtaken by one is told no more. */
  retold: number;
}

export type ClaimResult =
  | { kind: 'claimed'; claim: Claim }
  /** Someone else works on it, and looks again when done. */
  | { kind: 'busy' }
  /** The burst may still grow. */
  | { kind: 'wait' }
  | { kind: 'nothing' };

/** A worker that dies frees its speaker within this time; a living one renews it. */
export const LEASE_MS = 7_000;

/**
 * Takes a speaker's next burst. The lease is on the burst's first message, which is always the speaker's first open
 * one: whoever wants to answer the speaker meets it there.
 */
export function claimConversation(
  database: Database,
  { conversationId, personId }: Speaker,
  debounceMs: number,
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
    const decision = decideBurst(open, open[0]?.target && open[0].origin === 'message' ? debounceMs : 0, now);
    if (decision.kind !== 'take') return decision;
    const { burst, poison } = decision;
    const leaseToken = place.leaseToken + 1;
    const [, earlier] = await tx.last(() =>
      Promise.all([
        tx.$executeRaw`
          UPDATE inbox SET attempts = attempts + 1,
            lease_token = CASE WHEN id = ${burst[0]!.id} THEN ${leaseToken} ELSE lease_token END,
            lease_until = CASE WHEN id = ${burst[0]!.id} THEN now() + ${LEASE_MS} * interval '1 millisecond' END
          WHERE id = ANY(${idsOf(burst)})`,
        readTranscriptEnd(tx, { conversationId, personId }),
      ]),
    );
    return {
      kind: 'claimed',
      claim: { conversationId, personId, ...place, leaseToken, burst, poison, claimedAt: now, earlier },
    };
  });
}

/**
 * Keeps a lease alive while its worker is. Returns false when it was lost to another worker, or was given back
 * meanwhile: a renewal that waited behind the commit must not lease the message again for nobody.
 */
export async function renewLease(database: Database, claim: Claim): Promise<boolean> {
  const renewed = await database.write(
    { conversationId: claim.conversationId },
    (tx) => tx.$executeRaw`
      UPDATE inbox SET lease_until = now() + ${LEASE_MS} * interval '1 millisecond'
      WHERE id = ${claim.burst[0]!.id} AND lease_token = ${claim.leaseToken} AND lease_until IS NOT NULL`,
  );
  return renewed === 1;
}

/**
 * Ends a claim's lease within a transaction, before anything else of the claim is written. The row stays locked until
 * the transaction ends, so whoever claims meanwhile waits and sees what is committed here.
 * @returns false when the lease went to another worker
 */
export async function endLease(tx: Writer, { burst, leaseToken }: Claim): Promise<boolean> {
  const held = await tx.$executeRaw`
    UPDATE inbox SET lease_until = NULL WHERE id = ${burst[0]!.id} AND lease_token = ${leaseToken}`;
  return held === 1;
}

/**
 * Gives back the lease of a turn that came to no outcome, so that the next try need not wait for it to run out.
 * @param instead why its messages are taken up anew: an interruption is no failed attempt of theirs
 */
export async function releaseLease(
  database: Database,
  claim: Claim,
  instead: 'failed' | 'interrupted' | 'overtaken',
): Promise<void> {
  await database.write({ conversationId: claim.conversationId }, async (tx) => {
    if (!(await endLease(tx, claim)) || instead === 'failed') return;
    const overtaken = instead === 'overtaken' ? 1 : 0;
    await tx.$executeRaw`
      UPDATE inbox SET attempts = attempts - 1, overtaken = overtaken + ${overtaken}
      WHERE id = ANY(${idsOf(claim.burst)}) AND outcome IS NULL`;
  });
}

function idsOf(messages: readonly ClaimedMessage[]): bigint[] {
  return messages.map(({ id }) => id);
}

/** A flood becomes few turns; more than this is not worth reading to anyone. The look after it finds the rest. */
const OPEN_LIMIT = 500;

async function openMessages(tx: Writer, { conversationId, personId }: Speaker): Promise<ClaimedMessage[]> {
  const rows = await tx.$queryRaw<InboxRow[]>`
    SELECT id, origin, received_at AS "receivedAt", attempts, door, external_id AS "externalId", text, target, quote,
      sent_at AS "sentAt", revision, overtaken, deleted_at IS NOT NULL AS deleted, stopped_at IS NOT NULL AS stopped
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

/** What of a row says where its answer goes. */
const Addressed = z.object({
  door: Door,
  target: DiscordTarget.nullable(),
  // An answer can do without it.
  quote: Quote.nullable().catch(null),
});

/** The speaker's first open message, which carries the lease, and where it was said. */
interface HeadRow extends Pick<Claim, 'companionId' | 'audience' | 'kind' | 'leaseToken' | 'retold'> {
  isLeased: boolean;
  now: Date;
}

type InboxRow = Omit<ClaimedMessage, keyof z.infer<typeof Addressed>>;
