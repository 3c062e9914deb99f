import { deadLetterStream } from './keys.js';
import type { DeadLetter } from './dead-letters.js';

// Long enough to come back from holidays to it.
const KEEP_DEAD_MS = 90 * 24 * 60 * 60 * 1_000;

/** Commands that put a message aside, for the transaction that acknowledges it. */
export interface Burial {
  readonly kind: DeadLetter['kind'];
  readonly stream: string;
  readonly pattern: string;
  readonly service: string;
  readonly json: string;
  readonly correlationId: string;
  readonly deliveries: number;
  readonly error: string;
}

export function burialCommand(keyPrefix: string, burial: Burial): (string | number)[] {
  const { kind, stream, pattern, service, json, correlationId, deliveries, error } = burial;
  return [
    ...[deadLetterStream(keyPrefix), 'MINID', '~', Date.now() - KEEP_DEAD_MS, '*'],
    ...['kind', kind, 'stream', stream, 'pattern', pattern, 'service', service, 'd', json],
    ...['c', correlationId, 'n', deliveries, 'error', error],
  ];
}
