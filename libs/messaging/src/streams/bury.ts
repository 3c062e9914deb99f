import { DAY_MS } from '@kith/contracts';
import type { ChainableCommander } from 'ioredis';
import type { DeadLetter } from './dead-letters.js';
import { numberOf, type ClaimedEntry } from './claimed-entry.js';
import { decodeMessage } from './entry.js';
import { deadLetterStream } from './keys.js';

// Long enough to come back from holidays to it.
const KEEP_DEAD_MS = 90 * DAY_MS;

/** Reason of a dead letter that ended its process time and again. */
export const DIED = 'the service died while handling it';

/** A dead letter before it is written. */
export interface Burial extends Omit<DeadLetter, 'id' | 'payload' | 'at'> {
  readonly stream: string;
  readonly json: string;
}

/** Makes the dead letter of an entry. */
export function letterOf(service: string, entry: ClaimedEntry, pattern: string, reason: string): Burial {
  const { stream, fields, failures, deaths } = entry;
  const { json, correlationId } = decodeMessage(fields);
  // An entry that was given up by its deaths was not handed out again.
  const deliveries = reason === DIED ? failures + deaths : numberOf(entry);
  return { kind: 'event', stream, pattern, service, json, correlationId, deliveries, error: reason };
}

/** Adds a dead letter to the transaction that acknowledges its message. */
export function bury(transaction: ChainableCommander, keyPrefix: string, letter: Burial): ChainableCommander {
  const { json, correlationId, deliveries, ...rest } = letter;
  const fields = { ...rest, d: json, c: correlationId, n: deliveries };
  const oldest = Date.now() - KEEP_DEAD_MS;
  return transaction.xadd(
    deadLetterStream(keyPrefix),
    'MINID',
    '~',
    oldest,
    '*',
    ...Object.entries(fields).flat(),
  );
}
