import { once } from 'node:events';
import { createServer, request as makeRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  chatRoutes,
  documentRoutes,
  loreRoutes,
  memoryRoutes,
  type Route,
  signInRoutes,
  toolRoutes,
} from '@kith/contracts';
import { eventually } from '@kith/testing';
import type { Request, Response } from 'express';
import type { Caller } from '../people/caller.js';
import { problemOf, toAppError } from './problem-details.js';
import { readJsonBody } from './read-json-body.js';

const ROUTES = new Map<string, Route>([
  ['/change', memoryRoutes.change],
  ['/say', chatRoutes.say],
  ['/sign-in', signInRoutes.signIn],
  ['/list', memoryRoutes.list],
  ['/add', documentRoutes.add],
  ['/lore', loreRoutes.import],
  ['/rule', toolRoutes.removeRule],
]);
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    const caller = { keyId: request.headers['x-caller'], sessionOf: null } as Caller;
    void readJsonBody(ROUTES.get(request.url ?? '')!, request as Request, response as Response, caller)
      .then((body) => ({ status: 200, body: body ?? 'none' }))
      .catch((error: unknown) => problemOf(toAppError(error)))
      .then((answer) => response.writeHead(answer.status).end(JSON.stringify(answer)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

/** Sends a body; a stream goes in chunks, without its length. */
async function read(
  path: string,
  body: string | Buffer | ReadableStream,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
    method: 'POST',
    body,
    duplex: 'half',
    headers: { 'content-type': 'application/json', ...headers },
  });
  return response.json() as Promise<{ status: number; body?: unknown; detail?: string }>;
}

describe('the body of a request', () => {
  it('is its JSON, where its route takes one', async () => {
    const text = '{"text":"Zürich"}';
    expect((await read('/change', text)).body).toEqual({ text: 'Zürich' });
    expect((await read('/change', '')).body).toBe('none');
    expect((await read('/change', '', { 'content-type': 'text/plain' })).body).toBe('none');
    expect((await read('/list', '{"not": JSON')).body).toBe('none');
  });

  it('is refused with fields in it, where a route that changes something would not read them', async () => {
    const fields = '{"companion":"pip"}';
    const refusal = { code: 'invalid_request', errors: [{ field: 'body' }] };
    expect(await read('/rule', fields)).toMatchObject(refusal);
    expect(await read('/rule', 'companion=pip', { 'content-type': 'text/plain' })).toMatchObject(refusal);
    expect(await read('/rule', new Blob([fields]).stream())).toMatchObject(refusal);
  });

  it.each(['', '{}', '{\r\n\r\n}\n', 'null'])(
    'is let through where nothing would be read from it: %j',
    async (body) => {
      expect((await read('/rule', body)).body).toBe('none');
      expect((await read('/rule', body, { 'content-type': 'text/plain' })).body).toBe('none');
      expect((await read('/rule', new Blob([body]).stream())).body).toBe('none');
    },
  );

  it.each(['application/x-www-form-urlencoded', 'text/plain'])('is refused as %s', async (type) => {
    const refused = await read('/change', '{"text":"Zürich"}', { 'content-type': type });
    expect(refused).toMatchObject({ code: 'invalid_request', errors: [{ field: 'body' }] });
    expect(refused.detail).toBe('send the body as JSON, with the header Content-Type: application/json');
  });

  it('is not unpacked', async () => {
    const packed = gzipSync('{"text":"Zürich"}');
    const refused = await read('/change', packed, { 'content-encoding': 'gzip' });
    expect(refused).toMatchObject({ code: 'invalid_request', status: 415 });
    expect(refused.detail).toBe('send the body unpacked, without Content-Encoding');
  });

  it.each([
    ['a', 'a'],
    ['я', 'я'],
    ['森', '\\u68ee'],
  ])('has room for the longest document, in any language: %s sent as %s', async (character, sent) => {
    const { body } = await read('/add', `{"title":"All of it","content":"${sent.repeat(1_000_000)}"}`);
    expect(body).toEqual({ title: 'All of it', content: character.repeat(1_000_000) });
  });

  it('has room for world info of a thousand entries', async () => {
    const book = { entries: Array.from({ length: 1_000 }, () => ({ content: 'a'.repeat(2_000) })) };
    expect((await read('/lore', JSON.stringify({ book }))).body).toEqual({ book });
  });

  it.each([
    ['no JSON', '/change', '{"text": ', /not valid JSON/],
    ['no UTF-8', '/change', Buffer.from('{"text":"Zürich"}', 'latin1'), /not valid JSON/],
    ['too deep', '/change', '['.repeat(100), /nested more than 64 deep/],
    ['millions of values', '/say', `[${'{},'.repeat(2_600_000)}{}]`, /more than 200000 values/],
    ['too large', '/change', `"${'a'.repeat(1_100_000)}"`, /larger than 1 MB/],
    ['too large for somebody without a key', '/sign-in', `"${'a'.repeat(10_000)}"`, /larger than 10 kB/],
  ])('is refused before anything is built of it: %s', async (_, path, body, detail) => {
    const refused = await read(path, body);
    expect(refused).toMatchObject({ code: 'invalid_request' });
    expect(refused.detail).toMatch(detail);
  });
});

describe('large bodies that are on their way', () => {
  /** Begins to send a message with pictures, and does not end. */
  const begin = async (caller: string, headers: Record<string, string | number> = {}) => {
    const arrived = once(server, 'request');
    const sent = makeRequest({
      port: (server.address() as AddressInfo).port,
      path: '/say',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-caller': caller, ...headers },
    });
    sent.on('error', () => undefined);
    sent.write('"');
    await arrived;
    return sent;
  };
  const LARGE = { 'content-length': 8_000_000 };
  const large = `"${'a'.repeat(7_999_998)}"`;
  const say = async (caller: string, body = large) =>
    (await read('/say', body, { 'x-caller': caller })).status;

  it('are two of a caller, however their length is told, until they were read or their client leaves', async () => {
    const first = await begin('ada', LARGE);
    const second = await begin('ada');
    for (const headers of [LARGE, {}]) {
      const third = await begin('ada', headers);
      const [answer] = (await once(third, 'response')) as [IncomingMessage];
      expect(answer.statusCode).toBe(429);
      third.destroy();
    }
    expect(await say('ada', '"a word"')).toBe(200);
    expect(await say('ben')).toBe(200);
    first.end(large.slice(1));
    const [answered] = (await once(first, 'response')) as [IncomingMessage];
    answered.resume();
    expect(await say('ada')).toBe(200);
    const other = await begin('ada', LARGE);
    expect(await say('ada')).toBe(429);
    other.destroy();
    await eventually('room for one', async () => (await say('ada')) === 200);
    second.destroy();
    await eventually('room for two', async () => {
      return (await Promise.all([say('ada'), say('ada')])).every((status) => status === 200);
    });
  });

  describe('for long', () => {
    const PART = 'a'.repeat(1_000_000);
    const beginWithPart = async (caller: string) => {
      const arriving = once(server, 'request') as Promise<[Request]>;
      const sent = await begin(caller, LARGE);
      const [{ socket }] = await arriving;
      sent.write(PART);
      await eventually('a part', () => socket.bytesRead > PART.length);
      return [sent, socket] as const;
    };
    // The watch over what arrives, and nothing that a connection or a test waits by.
    const REAL = ['setTimeout', 'clearTimeout', 'setImmediate', 'nextTick', 'queueMicrotask'] as const;
    beforeEach(() => void jest.useFakeTimers({ doNotFake: [...REAL, 'performance', 'Date'] }));
    afterEach(() => void jest.useRealTimers());

    it('are refused, whatever arrived of them, and keep nobody else out', async () => {
      const sent = [];
      for (let n = 0; n < 11; n += 1) sent.push(await begin(`caller ${n}`, LARGE));
      const [partly] = await beginWithPart('caller 11');
      expect(await say('cleo')).toBe(503);
      const all = [...sent, partly];
      const answers = Promise.all(all.map((one) => once(one, 'response') as Promise<[IncomingMessage]>));
      const closed = Promise.all(all.map((one) => once(one.socket!, 'close')));
      jest.advanceTimersByTime(32_000);
      for (const [answer] of await answers) {
        expect(answer.statusCode).toBe(408);
        expect(JSON.parse(await text(answer))).toMatchObject({
          code: 'invalid_request',
          detail: 'the request took too long to arrive',
        });
      }
      await closed;
      expect(await say('cleo')).toBe(200);
    });

    it('are read as slowly as a slow line sends them', async () => {
      const [sent, socket] = await beginWithPart('ada');
      for (let part = 1; part < 7; part += 1) {
        jest.advanceTimersByTime(20_000);
        sent.write(PART);
        await eventually('another part', () => socket.bytesRead > (part + 1) * PART.length);
      }
      jest.advanceTimersByTime(20_000);
      sent.end(large.slice(7 * PART.length + 1));
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      expect(answer.statusCode).toBe(200);
      answer.resume();
    });
  });

  it('are no more than 100 MB of all callers', async () => {
    const sent = [];
    for (let n = 0; n < 12; n += 1) sent.push(await begin(`caller ${n}`, LARGE));
    expect(await say('cleo')).toBe(503);
    expect(await say('cleo', '"a word"')).toBe(200);
    for (const one of sent) one.destroy();
    await eventually('room', async () => (await say('cleo')) === 200);
  });
});
