import { Audience, DiscordTarget, Door } from '@kith/contracts';
import type { Database, Tx } from '@kith/database';
import { decideBurst, type OpenMessage } from './decide-burst.js';

export interface ClaimedMessage extends OpenMessage {
  door: Door;
  externalId: string;
  text: string;
  target: DiscordTarget | null;
  sentAt: Date;
  /** What it was claimed as: an outcome is refused when it was changed since. */
  revision: number;
  /** Times a newer message took its turn over. */
  overtaken: number;
  /** Its person deleted it before it was answered. */
  deleted: boolean;
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
  burst: ClaimedMessage[];
  /** It took its workers down before: answer it without going through a turn again. */
  poison: boolean;
  claimedAt: Date;
}

export type ClaimResult =
  | { kind: 'claimed'; claim: Claim }
  /** Someone else works on it, and looks again when done. */
  | { kind: 'busy' }
  /** The burst may still grow. */
  | { kind: 'wait' }
  | { kind: 'nothing' };

/** A worker that dies frees its conversation within this time; a living one renews it. */
export const LEASE_MS = 7_000;

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
    // A statement of its own: it must see what the lease's last holder committed while this one waited for it.
    const open = await openMessages(tx, conversationId);
    // Only doors that deliver later gather bursts: where a caller waits, a message is a request of its own.
    const decision = decideBurst(
      open,
      open[0]?.target && open[0].origin === 'message' ? debounceMs : 0,
      lease.now,
    );
    if (decision.kind !== 'take') {
      await tx.$executeRaw`
        UPDATE conversations SET lease_until = NULL WHERE conversation_id = ${conversationId}::uuid`;
      return decision;
    }
    const { burst, poison } = decision;
    await tx.$executeRaw`UPDATE inbox SET attempts = attempts + 1 WHERE id = ANY(${idsOf(burst)})`;
    return {
      kind: 'claimed',
      claim: {
        conversationId,
        companionId: lease.companionId,
        audience: lease.audience,
        kind: lease.kind,
        leaseToken: lease.leaseToken,
        personId: burst[0]!.personId,
        burst,
        poison,
        claimedAt: lease.now,
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

/**
 * Gives back the lease of a turn that came to no outcome, so that the next try need not wait for it to run out.
 * @param instead why its messages are taken up anew: an interruption is no failed attempt of theirs
 */
export async function releaseLease(
  database: Database,
  claim: Claim,
  instead: 'failed' | 'interrupted' | 'overtaken',
): Promise<void> {
  const { conversationId, leaseToken, burst } = claim;
  await database.inConversation(conversationId, async (tx) => {
    const held = await tx.$executeRaw`
      UPDATE conversations SET lease_until = NULL
      WHERE conversation_id = ${conversationId}::uuid AND lease_token = ${leaseToken}`;
    if (held !== 1 || instead === 'failed') return;
    const overtaken = instead === 'overtaken' ? 1 : 0;
    await tx.$executeRaw`
      UPDATE inbox SET attempts = attempts - 1, overtaken = overtaken + ${overtaken}
      WHERE id = ANY(${idsOf(burst)}) AND outcome IS NULL`;
  });
}

function idsOf(messages: readonly ClaimedMessage[]): bigint[] {
  return messages.map(({ id }) => id);
}

interface LeaseRow {
  companionId: string;
  audience: Audience;
  kind: 'direct' | 'channel';
  leaseToken: bigint;
  now: Date;
}

/** A flood becomes few turns; more than this is not worth reading to anyone. The look after it finds the rest. */
const OPEN_LIMIT = 500;

async function openMessages(tx: Tx, conversationId: string): Promise<ClaimedMessage[]> {
  const rows = await tx.$queryRaw<InboxRow[]>`
    SELECT id, person_id AS "personId", origin, received_at AS "receivedAt", attempts, door,
      external_id AS "externalId", text, target, sent_at AS "sentAt", revision, overtaken,
      deleted_at IS NOT NULL AS deleted, stopped_at IS NOT NULL AS stopped
    FROM inbox
    WHERE conversation_id = ${conversationId}::uuid AND outcome IS NULL
    ORDER BY id LIMIT ${OPEN_LIMIT}`;
  return rows.map((row) => ({
    ...row,
    door: Door.parse(row.door),
    target: row.target === null ? null : DiscordTarget.parse(row.target),
  }));
}

type InboxRow = Omit<ClaimedMessage, 'door' | 'target'> & { door: string; target: unknown };
