import { gzipSync } from 'node:zlib';
import type { Random } from '../faults/random.ts';
import type { Operation } from './api-document.ts';
import type { Dictionary } from './dictionary.ts';
import { hostileTime, hostileWord } from './hostile-values.ts';
import { makeValue, mutate } from './make-value.ts';

export interface FuzzRequest {
  /** The route it is meant for. */
  route: string;
  method: string;
  /** As it goes over the wire. */
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

/** Paths served beside the routes of the API's page. */
export const BESIDE: readonly string[] = [
  '/',
  '/index.html',
  '/assets/index.js',
  '/docs',
  '/docs/openapi.json',
  '/health/live',
  '/health/ready',
  '/metrics',
  '/admin/queues',
  '/admin/queues/api/queues',
  '/v1/ws',
  '/v1',
  '/nothing',
];

/** Caller. */
export interface Keys {
  admin: string;
  /** Ordinary people's; they come and go. */
  people: readonly string[];
}

/** A request for one route: sound, or wrong in one place or in several. */
export function makeRequest(
  operation: Operation,
  keys: Keys,
  dictionary: Dictionary,
  random: Random,
): FuzzRequest {
  const wrong = random.chance(0.7);
  const somewhere = () => wrong && random.chance(0.4);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    somewhere() ? hostileSegment(random) : segmentOf(operation, name, dictionary, random),
  );
  const query = operation.query.flatMap((name) => queryOf(name, somewhere(), dictionary, random));
  if (somewhere()) query.push(`${encode(hostileWord(random))}=${encode(hostileWord(random))}`);
  const made = operation.body && makeValue(operation.body, dictionary, random);
  const body = operation.body ? bodyOf(somewhere() ? mutate(made, random) : made, somewhere(), random) : null;
  return {
    route: operation.name,
    method: operation.method,
    path: query.length > 0 ? `${path}?${query.join('&')}` : path,
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...authorizationOf(keys, random),
      ...(somewhere() ? hostileHeaders(random) : {}),
      ...body?.headers,
    },
    body: body?.bytes ?? null,
  };
}

/** A request for a page, a probe or a file: with a wrong path, method or header. */
export function makeRequestBeside(keys: Keys, random: Random): FuzzRequest {
  const place = random.pick(BESIDE);
  const path = random.pick([
    place,
    place,
    `${place}/../../.env`,
    `${place}/..%2f..%2f.env`,
    `${place}/%00`,
    `${place}/%`,
    `/${place}`,
    `${place}?${encode(hostileWord(random))}=${encode(hostileWord(random))}`,
  ]);
  const method = random.pick([
    'GET',
    'GET',
    'GET',
    'HEAD',
    'OPTIONS',
    'POST',
    'PUT',
    'DELETE',
    'PATCH',
    'TRACE',
  ]);
  const body = method === 'POST' || method === 'PUT' ? Buffer.from('{"a":1}') : null;
  return {
    route: `beside ${place}`,
    method,
    path,
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...authorizationOf(keys, random),
      ...hostileHeaders(random),
    },
    body,
  };
}

function segmentOf({ path }: Operation, name: string, dictionary: Dictionary, random: Random): string {
  const isCompanion = name === 'id' && path.startsWith('/v1/companions/');
  const known = isCompanion
    ? dictionary.word('companion', random)
    : name === 'id' || (name === 'person' && random.chance(0.5)) || name === 'entry'
      ? dictionary.id(random)
      : dictionary.word(name, random);
  return encode(known ?? 'x');
}

function hostileSegment(random: Random): string {
  return random.chance(0.1)
    ? random.pick(['%', '%zz', '%c0%af', '..', '%2e%2e', '%00', '//'])
    : encode(hostileWord(random));
}

function queryOf(name: string, wrong: boolean, dictionary: Dictionary, random: Random): string[] {
  if (!wrong && random.chance(0.6)) return [];
  const cursor = ['cursor', 'before'].includes(name) ? dictionary.word('nextCursor', random) : undefined;
  const time = { from: '2024-05-01T12:00:00Z', to: '2026-11-22T06:00:00Z' }[name];
  const sound = cursor ?? time ?? dictionary.word(name, random) ?? 'x';
  if (!wrong) return [`${name}=${encode(sound)}`];
  const value = encode(random.chance(0.3) ? hostileTime(random) : hostileWord(random));
  return random.pick([
    [`${name}=${value}`],
    [`${name}=${value}`],
    [`${name}=${value}`, `${name}=${value}`],
    [`${name}[]=${value}`],
    [`${name}[a]=${value}`],
    [`${name}=${'9'.repeat(random.pick([18, 19, 400]))}`],
    [`${name}=%`],
    // Cursors are texts in base64: one of its form that says something else.
    [`${name}=${Buffer.from(`${hostileTime(random)} ${dictionary.id(random)}`).toString('base64url')}`],
  ]);
}

function bodyOf(
  value: unknown,
  broken: boolean,
  random: Random,
): { bytes: Buffer; headers?: Record<string, string> } {
  const text = (JSON.stringify(value) as string | undefined) ?? '';
  if (!broken) return { bytes: Buffer.from(text) };
  return random.pick<() => { bytes: Buffer; headers?: Record<string, string> }>([
    () => ({ bytes: Buffer.from(text.slice(0, random.between(0, text.length))) }),
    () => ({ bytes: Buffer.from(`${text}${text}`) }),
    () => ({ bytes: Buffer.from(`\ufeff${text}`) }),
    () => ({ bytes: Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe, 0xc0])]) }),
    () => ({ bytes: Buffer.from(text.replace('{', '{"__proto__":{"admin":true},')) }),
    () => ({ bytes: Buffer.from(text), headers: { 'content-type': 'text/plain' } }),
    () => ({ bytes: Buffer.from(text), headers: { 'content-type': 'application/json; charset=utf-7' } }),
    () => ({ bytes: Buffer.from(text), headers: { 'content-encoding': 'gzip' } }),
    () => ({ bytes: Buffer.from(text), headers: { 'content-encoding': 'x-none' } }),
    () => ({ bytes: gzipSync(text), headers: { 'content-encoding': 'gzip' } }),
    () => ({ bytes: gzipSync(Buffer.alloc(5_000_000, ' ')), headers: { 'content-encoding': 'gzip' } }),
    () => ({ bytes: Buffer.from(`{"a":"${'x'.repeat(1_100_000)}"}`) }),
    () => ({ bytes: Buffer.from('['.repeat(100_000)) }),
    () => ({ bytes: Buffer.from(`${'['.repeat(2_000)}${']'.repeat(2_000)}`) }),
    () => ({ bytes: Buffer.from(`${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`) }),
  ])();
}

function authorizationOf({ admin, people }: Keys, random: Random): Record<string, string> {
  const share = random.next();
  if (share < 0.55) return { authorization: `Bearer ${admin}` };
  if (share < 0.9) return { authorization: `Bearer ${random.pick(people)}` };
  if (share < 0.94) return {};
  const wrong = [admin.slice(0, -1), `${admin}x`, 'kth_', 'x'.repeat(5_000), encode(hostileWord(random))];
  return { authorization: random.pick([...wrong.map((key) => `Bearer ${key}`), 'Basic %%%', 'Bearer', '']) };
}

function hostileHeaders(random: Random): Record<string, string> {
  const word = encode(hostileWord(random));
  const time = random.pick(['Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT', word]);
  return random.pick<Record<string, string>>([
    {
      range: random.pick([
        'bytes=9999999-',
        'bytes=-',
        'bytes=5-1',
        'bytes=0-0,2-2',
        'x=1',
        `bytes=${word}-`,
      ]),
    },
    { 'if-match': random.pick(['"nothing"', '*', word, 'W/""']) },
    { 'if-none-match': random.pick(['*', word, '"a", '.repeat(500)]) },
    { 'if-modified-since': time },
    { 'if-unmodified-since': time },
    { 'if-range': word, range: 'bytes=0-10' },
    { accept: random.pick(['text/html', 'image/x', ';', '*/*;q=x', word]) },
    { 'accept-encoding': random.pick(['br', 'gzip;q=0', '*;q=0', 'x'.repeat(3_000)]) },
    { 'x-correlation-id': random.pick([word, 'x'.repeat(300), 'a-b-c-d-e-f-g']) },
    { 'x-forwarded-for': random.pick([word, '127.0.0.1, '.repeat(200)]), 'x-forwarded-proto': 'gopher' },
    { host: random.pick(['', 'evil.example', 'a'.repeat(300), '[::1', 'x:99999']) },
    { 'x-http-method-override': 'DELETE', connection: 'close' },
    { cookie: `${word}=${word}; `.repeat(random.pick([1, 200])) },
    { 'content-type': random.pick(['multipart/form-data; boundary=x', 'application/json;;', word, '']) },
    { expect: 'something' },
    { [`x-${'a'.repeat(200)}`]: 'b'.repeat(random.pick([100, 20_000])) },
  ]);
}

function encode(text: string): string {
  // encodeURIComponent refuses half of a surrogate pair.
  return encodeURIComponent(text.toWellFormed());
}
