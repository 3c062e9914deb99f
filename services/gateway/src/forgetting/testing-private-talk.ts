import type { Privacy } from '@kith/contracts';
import type { Database } from '@kith/database';
import { pino } from 'pino';
import { OrderLocks } from './order-locks.js';
import { PrivateTalk } from './private-talk.js';

/** Switches private talk of a person, with a memory that does as it is asked: since a second ago. */
export function switchPrivateTalk(
  database: Database,
  { personId }: { personId: string },
  isPrivate: boolean,
): Promise<Privacy> {
  const since = isPrivate ? new Date(Date.now() - 1_000).toISOString() : null;
  const messenger = { ask: async () => ({ private: isPrivate, since }) };
  const logger = pino({ level: 'silent' });
  return new PrivateTalk(database, new OrderLocks(database), messenger as never, () => undefined, logger).set(
    personId,
    isPrivate,
  );
}
