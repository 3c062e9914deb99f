import type { Writer } from './transaction.js';

/** Takes the lock of this name, waiting for whoever holds it, to the end of the transaction. */
export async function lockUntilEnd(tx: Writer, name: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}
