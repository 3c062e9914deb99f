import type { Writer } from '@kith/database';

/**
 * Locks what is kept of a person's words to the end of the transaction. An undo may bring back what another order names,
 * and a joke may be kept of a turn that is being forgotten.
 */
export async function lockPerson(tx: Writer, personId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`personality:${personId}`}, 0))`;
}
