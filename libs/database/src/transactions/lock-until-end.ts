import type { Writer } from './transaction.js';

/** Takes the locks of these names in their order, waiting for whoever holds one, to the end of the transaction. */
export async function lockUntilEnd(tx: Writer, ...names: string[]): Promise<void> {
  await tx.$executeRaw`
    SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest(${names}::text[]) AS name`;
}
