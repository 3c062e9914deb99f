import { lastOf } from '@kith/contracts';
import type { Redis } from 'ioredis';
import { DEFAULT_KEY_PREFIX, deadLetterStream } from './keys.js';
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

export interface DeadLetterQuery {
  readonly keyPrefix?: string;
  readonly service?: string;
  readonly pattern?: string;
  /** Only these letters; absent means all. */
  readonly ids?: readonly string[];
  /** At most so many, oldest first. */
  readonly limit?: number;
}
/** Entries read at once: some hundred kilobytes. */
const PAGE = 200;

/** Lists dead letters, oldest first. */
export async function listDeadLetters(redis: Redis, query: DeadLetterQuery): Promise<DeadLetter[]> {
  return (await find(redis, query)).map(({ letter }) => letter);
}

/**
 * Gives events back to the service that failed on them (and to no other), and returns how many.
 * A letter that fails again comes back as a new one. Requests are left where they are.
 */
export async function replayDeadLetters(redis: Redis, query: DeadLetterQuery): Promise<number> {
  const dead = deadLetterStream(query.keyPrefix ?? DEFAULT_KEY_PREFIX);
  const found = (await find(redis, query)).filter(({ letter }) => letter.kind === 'event');
  for (const { letter, stream, json } of found) {
    const fields = encodeMessage({ json, correlationId: letter.correlationId, onlyGroup: letter.service });
    await redis
      .multi()
      .xadd(stream, '*', ...fields)
      .xdel(dead, letter.id)
      .exec();
  }
  return found.length;
}

interface FoundLetter {
  readonly letter: DeadLetter;
  readonly stream: string;
  readonly json: string;
}

async function find(redis: Redis, query: DeadLetterQuery): Promise<FoundLetter[]> {
  const dead = deadLetterStream(query.keyPrefix ?? DEFAULT_KEY_PREFIX);
  const limit = query.limit ?? Infinity;
  const found: FoundLetter[] = [];
  let from = '-';
  for (;;) {
    const page = await redis.xrange(dead, from, '+', 'COUNT', PAGE);
    for (const [id, fields] of page) {
      const one = readLetter(id, fields);
      if (matches(one.letter, query)) found.push(one);
      if (found.length >= limit) return found;
    }
    if (page.length < PAGE) return found;
    from = `(${lastOf(page)[0]}`;
  }
}

function matches(letter: DeadLetter, { service, pattern, ids }: DeadLetterQuery): boolean {
  return (
    (service === undefined || letter.service === service) &&
    (pattern === undefined || letter.pattern === pattern) &&
    (ids === undefined || ids.includes(letter.id))
  );
}

function readLetter(id: string, fields: string[]): FoundLetter {
  const field = fieldsByName(fields);
  const json = field['d'] ?? 'null';
  return {
    stream: field['stream'] ?? '',
    json,
    letter: {
      id,
      kind: field['kind'] === 'request' ? 'request' : 'event',
      pattern: field['pattern'] ?? '',
      service: field['service'] ?? '',
      // One that is no JSON is why its message was given up.
      payload: jsonOrText(json),
      correlationId: field['c'] ?? '',
      deliveries: Number(field['n'] ?? 0),
      error: field['error'] ?? '',
      at: new Date(Number(id.split('-')[0])).toISOString(),
    },
  };
}
