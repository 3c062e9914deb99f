import { firstOf } from '@kith/contracts';
import { sql, type Database, type Writer } from '@kith/database';
import type { Claim } from './claim.js';

/** Time of a lease: a worker that dies frees its speaker within it, a living one renews it. */
export const LEASE_MS = 7_000;

/**
 * Matches a message whose lease holds. A lease that ends further ahead than any lease can is from before the clock was
 * set back, and nobody renews it.
 */
export const holdsLease = sql`coalesce(
  lease_until > now() AND lease_until < now() + ${2 * LEASE_MS} * interval '1 millisecond', false)`;

/**
 * Keeps a lease alive while its worker is. Returns false when it was lost to another worker, or was given back
 * meanwhile: a renewal that waited behind the commit must not lease the message again for nobody.
 */
export async function renewLease(database: Database, claim: Claim): Promise<boolean> {
  const renewed = await database.write(
    { conversationId: claim.conversationId },
    (tx) => tx.$executeRaw`
      UPDATE inbox SET lease_until = now() + ${LEASE_MS} * interval '1 millisecond'
      WHERE id = ${firstOf(claim.burst).id} AND lease_token = ${claim.leaseToken} AND lease_until IS NOT NULL`,
  );
  return renewed === 1;
}

/**
 * Locks the message that carries a claim's lease until the transaction ends: what comes after it sees whoever took the
 * lease before, and whoever claims meanwhile waits and sees what is committed here.
 */
export async function lockLease(tx: Writer, { burst }: Claim): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM inbox WHERE id = ${firstOf(burst).id} FOR UPDATE`;
}

/**
 * Ends a claim's lease within a transaction, before anything else of the claim is written. The row stays locked until
 * the transaction ends, so whoever claims meanwhile waits and sees what is committed here.
 * @returns false when the lease went to another worker
 */
export async function endLease(tx: Writer, { burst, leaseToken }: Claim): Promise<boolean> {
  const held = await tx.$executeRaw`
    UPDATE inbox SET lease_until = NULL WHERE id = ${firstOf(burst).id} AND lease_token = ${leaseToken}`;
  return held === 1;
}

/**
 * Claims of a message up to which a lost lease counts as no try: the messages are not to blame for a machine that stood
 * still. Later claims count, so that there is an end.
 */
const MAX_FREE_CLAIMS = 10;

/** Gives back the try of a claim whose lease was lost while its worker lived on. */
export async function giveTryBack(
  database: Database,
  { conversationId, burst, leaseToken }: Claim,
): Promise<void> {
  if (leaseToken > MAX_FREE_CLAIMS) return;
  await database.write(
    { conversationId },
    (tx) => tx.$executeRaw`
      UPDATE inbox SET attempts = attempts - 1
      WHERE id = ANY(${burst.map(({ id }) => id)}) AND attempts > 0 AND outcome IS NULL`,
  );
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
      WHERE id = ANY(${claim.burst.map(({ id }) => id)}) AND outcome IS NULL`;
  });
}
