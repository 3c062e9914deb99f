import { Audience, DiscordTarget, Door } from '@kith/contracts';
import type { Database, Tx } from '@kith/database';
import { decideBurst, type OpenMessage } from './decide-burst.js';

export interface ClaimedMessage extends OpenMessage {
  door: Door;
  externalId: string;
  text: string;
  target: DiscordTarget | null;
  sentAt: Date;
}

/** The right to work on a conversation, and what there is to do. */
export interface Claim {
  conversationId: string;
  companionId: string;
  audience: Audience;
  kind: 'direct' | 'channel';
  /** Fencing number: a commit with an older one is refused. */
  leaseToken: bigint;
  personId: string;
  personName: string;
  burst: ClaimedMessage[];
  /** It took its workers down before: answer it without going through a turn again. */
  poison: boolean;
}

export type ClaimResult =
  | { kind: 'claimed'; claim: Claim }
  /** Someone else works on it, and looks again when done. */
  | { kind: 'busy' }
  /** The burst may still grow. */
  | { kind: 'wait' }
  | { kind: 'nothing' };

/** A worker that dies frees its conversation within this time; a living one renews it. */
export const LEASE_MS = 12_000;

/** Takes the conversation's lease together with the messages of its next turn. */
export function claimConversation(
  database: Database,
  conversationId: string,
  debounceMs: number,
): Promise<ClaimResult> {
  return database.inConversation(conversationId, async (tx): Promise<ClaimResult> => {
    const [lease] = await tx.$queryRaw<LeaseRow[]>`
      UPDATE conversations
      SET lease_token = lease_token + 1, lease_until = now() + ${LEASE_MS} * interval '1 millisecond'
      WHERE conversation_id = ${conversationId}::uuid AND (lease_until IS NULL OR lease_until < now())
      RETURNING companion_id AS "companionId", audience, kind, lease_token AS "leaseToken", now() AS now`;
    if (!lease) return { kind: 'busy' };
    const open = await openMessages(tx, conversationId);
    // Only doors that deliver later gather bursts: where a caller waits, a message is a request of its own.
    const decision = decideBurst(
      open,
      open[0]?.target && open[0].origin === 'message' ? debounceMs : 0,
      lease.now,
    );
    if (decision.kind !== 'take') {
      await tx.conversation.update({ where: { id: conversationId }, data: { leaseUntil: null } });
      return decision;
    }
    const { burst, poison } = decision;
    await tx.$executeRaw`
      UPDATE inbox SET attempts = attempts + 1 WHERE id = ANY(${burst.map((message) => message.id)})`;
    const personId = burst[0]!.personId;
    await tx.$executeRaw`SELECT set_config('app.person_id', ${personId}, true)`;
    const person = await tx.person.findUniqueOrThrow({ where: { id: personId } });
    return {
      kind: 'claimed',
      claim: {
        conversationId,
        companionId: lease.companionId,
        audience: lease.audience,
        kind: lease.kind,
        leaseToken: lease.leaseToken,
        personId,
        personName: person.displayName,
        burst,
        poison,
      },
    };
  });
}

/**
 * Keeps a lease alive while its worker is. Returns false when it was lost to another worker, or was given back
 * meanwhile: a renewal that waited behind the commit must not lock the conversation again for nobody.
 */
export async function renewLease(database: Database, claim: Claim): Promise<boolean> {
  const renewed = await database.inConversation(
    claim.conversationId,
    (tx) => tx.$executeRaw`
      UPDATE conversations SET lease_until = now() + ${LEASE_MS} * interval '1 millisecond'
      WHERE conversation_id = ${claim.conversationId}::uuid AND lease_token = ${claim.leaseToken}
        AND lease_until IS NOT NULL`,
  );
  return renewed === 1;
}

/** Gives the lease of a turn that failed back, so that its job's next try need not wait for it to run out. */
export async function releaseLease(database: Database, claim: Claim): Promise<void> {
  await database.inConversation(
    claim.conversationId,
    (tx) => tx.$executeRaw`
      UPDATE conversations SET lease_until = NULL
      WHERE conversation_id = ${claim.conversationId}::uuid AND lease_token = ${claim.leaseToken}`,
  );
}

interface LeaseRow {
  companionId: string;
  audience: Audience;
  kind: 'direct' | 'channel';
  leaseToken: bigint;
  now: Date;
}

/** More than a turn ever takes up; the rest is found by the look after it. */
const OPEN_LIMIT = 50;

async function openMessages(tx: Tx, conversationId: string): Promise<ClaimedMessage[]> {
  const rows = await tx.inboxMessage.findMany({
    where: { conversationId, outcome: null },
    orderBy: { id: 'asc' },
    take: OPEN_LIMIT,
  });
  return rows.map((row) => ({
    id: row.id,
    personId: row.personId,
    origin: row.origin === 'outreach' ? 'outreach' : 'message',
    receivedAt: row.receivedAt,
    attempts: row.attempts,
    door: Door.parse(row.door),
    externalId: row.externalId,
    text: row.text,
    target: row.target === null ? null : DiscordTarget.parse(row.target),
    sentAt: row.sentAt,
  }));
}
