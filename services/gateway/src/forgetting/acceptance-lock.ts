import { lockUntilEnd, sql, type Database, type Sql } from '@kith/database';

/**
 * SQL that holds the lock of messages being accepted, side by side with the person's other ones, until the transaction ends.
 * It comes before any row: whoever waits for the lock then waits in no circle.
 */
export function holdAcceptanceLock(personId: string): Sql {
  return sql`pg_advisory_xact_lock_shared(hashtextextended(${nameOf(personId)}, 0))`;
}

/**
 * Waits until the person's messages that are being accepted are there: each was compared with the orders to forget of the
 * moment when that began. Later ones are compared with those of now. Locks nothing else.
 */
export function awaitAcceptance(database: Database, personId: string): Promise<void> {
  return lockUntilEnd(database.writer({ personId }), nameOf(personId));
}

function nameOf(personId: string): string {
  return `accepting:${personId}`;
}
