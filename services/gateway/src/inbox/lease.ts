import { firstOf } from '@kith/contracts';
import { sql, type Database, type Writer } from '@kith/database';
import type { Claim } from './claim.js';

/** Time of a lease. A living worker renews it; a dead worker's speaker is free again after it. */
export const LEASE_MS = 7_000;

/**
 * SQL that matches a message whose lease holds. A lease that ends further ahead than any lease can was taken before the
 * clock was set back, and does not count.
 */
export const holdsLease = sql`coalesce(
  lease_until > now() AND lease_until < now() + ${2 * LEASE_MS} * interval '1 millisecond', false)`;

/**
 * Renews a lease. Returns false if another worker took it, or if it has ended: a renewal that waited for the commit must
 * not lease the message again.
 */
export async function renewLease(database: Database, claim: Claim): Promise<boolean> {
  const renewed = await database.writer({ conversationId: claim.conversationId }).$executeRaw`
    UPDATE inbox SET lease_until = now() + ${LEASE_MS} * interval '1 millisecond'
    WHERE id = ${firstOf(claim.burst).id} AND lease_token = ${claim.leaseToken} AND lease_until IS NOT NULL`;
  return renewed === 1;
}

/**
 * Locks the message that carries a claim's lease until the transaction ends. Later statements see a worker that took the
 * lease before; a worker that claims meanwhile waits, and then sees what is committed here.
 */
export async function lockLease(tx: Writer, { burst }: Claim): Promise<void> {
  await tx.$executeRaw`SELECT 1 FROM inbox WHERE id = ${firstOf(burst).id} FOR UPDATE`;
}

/**
 * Ends a claim's lease within a transaction, before anything else of the claim is written. The row stays locked until
 * the transaction ends, so whoever claims meanwhile waits and sees what is committed here.
 * @returns false when the lease went to another worker, or was ended before
 */
export async function endLease(tx: Writer, { burst, leaseToken }: Claim): Promise<boolean> {
  const held = await tx.$executeRaw`
    UPDATE inbox SET lease_until = NULL
    WHERE id = ${firstOf(burst).id} AND lease_token = ${leaseToken} AND lease_until IS NOT NULL`;
  return held === 1;
}

/**
 * Number of claims of a message up to which a lost lease counts as no try: a machine that stood still is not the message's
 * fault. Later ones count, so that the tries end.
 */
const MAX_FREE_CLAIMS = 10;

/** Uncounts the try of a claim whose lease was lost while its worker was alive. */
export async function giveTryBack(database: Database, { conversationId, burst, leaseToken }: Claim) {
  if (leaseToken > MAX_FREE_CLAIMS) return;
  await database.writer({ conversationId }).$executeRaw`
    UPDATE inbox SET attempts = attempts - 1 WHERE id = ANY(${burst.map(({ id }) => id)})`;
}

/**
 * Ends the lease of a turn without an outcome, so that the next try need not wait for it to run out.
 * @param instead why the turn ended: only `failed` counts as a try of its messages
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
      WHERE id = ANY(${claim.burst.map(({ id }) => id)})`;
  });
}
