import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chatRoutes, documentRoutes, memoryRoutes, type Route, signInRoutes } from '@kith/contracts';
import type { Request, Response } from 'express';
import { problemOf, toAppError } from './problem-details.js';
import { readJsonBody } from './read-json-body.js';

const ROUTES = new Map<string, Route>([
  ['/change', memoryRoutes.change],
  ['/say', chatRoutes.say],
  ['/sign-in', signInRoutes.signIn],
  ['/list', memoryRoutes.list],
  ['/add', documentRoutes.add],
]);
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    void readJsonBody(ROUTES.get(request.url ?? '')!, request as Request, response as Response)
      .then((body) => ({ status: 200, body: body ?? 'none' }))
      .catch((error: unknown) => problemOf(toAppError(error)))
      .then((answer) => response.writeHead(answer.status).end(JSON.stringify(answer)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

async function read(path: string, body: string | Buffer, headers: Record<string, string> = {}) {
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
    ...{ method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } },
  });
  return response.json() as Promise<{ status: number; body?: unknown; detail?: string }>;
}

describe('the body of a request', () => {
  it('is its JSON, packed or not, where its route takes one', async () => {
    const text = '{"text":"Zürich"}';
    expect((await read('/change', text)).body).toEqual({ text: 'Zürich' });
    expect((await read('/change', gzipSync(text), { 'content-encoding': 'gzip' })).body).toEqual({
      text: 'Zürich',
    });
    expect((await read('/change', '')).body).toBe('none');
    expect((await read('/change', '', { 'content-type': 'text/plain' })).body).toBe('none');
    expect((await read('/list', '{"not": JSON')).body).toBe('none');
  });

  it.each(['application/x-www-form-urlencoded', 'text/plain'])('is refused as %s', async (type) => {
    const refused = await read('/change', '{"text":"Zürich"}', { 'content-type': type });
    expect(refused).toMatchObject({ code: 'invalid_request', errors: [{ field: 'body' }] });
    expect(refused.detail).toBe('send the body as JSON, with the header Content-Type: application/json');
  });

  it('has room for the longest document', async () => {
    const content = 'a'.repeat(1_000_000);
    const { body } = await read('/add', JSON.stringify({ title: 'All of it', content }));
    expect(body).toEqual({ title: 'All of it', content });
  });

  it.each([
    ['no JSON', '/change', '{"text": ', /not valid JSON/],
    ['no UTF-8', '/change', Buffer.from('{"text":"Zürich"}', 'latin1'), /not valid JSON/],
    ['too deep', '/change', '['.repeat(100), /nested more than 64 deep/],
    ['millions of values', '/say', `[${'{},'.repeat(2_600_000)}{}]`, /more than 200000 values/],
    ['too large', '/change', `"${'a'.repeat(1_100_000)}"`, /larger than 1 MB/],
    ['too large for somebody without a key', '/sign-in', `"${'a'.repeat(10_000)}"`, /larger than 10 kB/],
  ])('is refused before anything is built of it: %s', async (_, path, body, detail) => {
    for (const sent of [{ body }, { body: gzipSync(body), headers: { 'content-encoding': 'gzip' } }]) {
      const refused = await read(path, sent.body, sent.headers);
      expect(refused).toMatchObject({ code: 'invalid_request' });
      expect(refused.detail).toMatch(detail);
    }
  });
});
