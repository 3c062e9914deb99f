import { lastOf } from '@kith/contracts';
import type { Redis } from 'ioredis';
import { deadLetterStream } from './keys.js';
import { encodeMessage, fieldsByName } from './entry.js';
import { jsonOrText } from '../wire-errors.js';

/**
 * Messages a service could not handle, put aside so that an operator can look. An event can be replayed. A request can't:
 * nobody waits for its answer any more, and what it said is not kept.
 */
export interface DeadLetter {
  readonly id: string;
  readonly kind: 'event' | 'request';
  readonly pattern: string;
  /** The service that failed. Others may have handled the same event well. */
  readonly service: string;
  /** An event's payload; of a request its length alone. */
  readonly payload: unknown;
  readonly correlationId: string;
  readonly deliveries: number;
  readonly error: string;
  /** When it was given up, ISO 8601. */
  readonly at: string;
}

/** Entries read at once: some hundred kilobytes. */
const PAGE = 200;

/** Lists dead letters, oldest first. */
export async function listDeadLetters(redis: Redis, keyPrefix: string): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = [];
  for (let from = '-'; ;) {
    const page = await redis.xrange(deadLetterStream(keyPrefix), from, '+', 'COUNT', PAGE);
    letters.push(...page.map(([id, fields]) => readLetter(id, fieldsByName(fields))));
    if (page.length < PAGE) return letters;
    from = `(${lastOf(page)[0]}`;
  }
}

/**
 * Gives an event back to the service that failed on it, and to no other. One that fails again comes back as a new letter.
 * Tells whether it did: a request is left where it is.
 */
export async function replayDeadLetter(redis: Redis, id: string, keyPrefix: string): Promise<boolean> {
  const dead = deadLetterStream(keyPrefix);
  const [entry] = await redis.xrange(dead, id, id);
  const field = fieldsByName(entry?.[1] ?? []);
  const { kind, correlationId, service } = readLetter(id, field);
  if (!entry || kind === 'request') return false;
  const fields = encodeMessage({ json: jsonIn(field), correlationId, onlyGroup: service });
  await redis
    .multi()
    .xadd(field['stream'] ?? '', '*', ...fields)
    .xdel(dead, id)
    .exec();
  return true;
}

function jsonIn(field: Readonly<Record<string, string>>): string {
  return field['d'] ?? 'null';
}

function readLetter(id: string, field: Readonly<Record<string, string>>): DeadLetter {
  return {
    id,
    kind: field['kind'] === 'request' ? 'request' : 'event',
    pattern: field['pattern'] ?? '',
    service: field['service'] ?? '',
    // One that is no JSON is why its message was given up.
    payload: jsonOrText(jsonIn(field)),
    correlationId: field['c'] ?? '',
    deliveries: Number(field['n'] ?? 0),
    error: field['error'] ?? '',
    at: new Date(Number(id.split('-')[0])).toISOString(),
  };
}
