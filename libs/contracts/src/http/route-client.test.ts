import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { auditRoutes } from './audit.routes.js';
import { modelRoutes } from './models.routes.js';
import { chatRoutes } from './chat.routes.js';
import { companionRoutes } from './companions.routes.js';
import { loreRoutes } from './lore.routes.js';
import { memoryRoutes } from './memories.routes.js';
import { RouteClient, type CallFailure } from './route-client.js';
import { signInRoutes } from './sign-in.routes.js';

const ID = '019a0000-0000-7000-8000-000000000001';

class Failed extends Error {
  constructor(readonly failure: CallFailure) {
    super(failure.kind);
  }
}

let seen: { method: string; url: string; key: string | undefined; body: string };
let answer: (response: ServerResponse, request: IncomingMessage) => void;
const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const { method = '', url = '', headers } = request;
    seen = { method, url, key: headers.authorization, body: Buffer.concat(pieces).toString() };
    answer(response, request);
  });
});
let client: RouteClient;
const open = (address: string, key?: string, redirect: 'follow' | 'manual' = 'follow') =>
  new RouteClient({ address, key, timeoutMs: 5_000, redirect, explain: (failure) => new Failed(failure) });

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'kth_x');
});
beforeEach(() => {
  answer = (response) => response.end('{}');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function failureOf(work: Promise<unknown>): Promise<CallFailure> {
  const error: unknown = await work.then(() => null).catch((thrown: unknown) => thrown);
  return (error as Failed).failure;
}

describe('a call', () => {
  it('puts each part in its place, and nothing where nothing is given', async () => {
    answer = (response) => response.end(JSON.stringify({ removed: 'sea' }));
    const params = { id: 'mira', entry: 'a b/c?' };
    expect(await client.call(loreRoutes.remove, { params })).toEqual({ removed: 'sea' });
    expect(seen).toEqual({
      method: 'DELETE',
      url: '/v1/companions/mira/lore/a%20b%2Fc%3F',
      key: 'Bearer kth_x',
      body: '',
    });

    answer = (response) => response.end(JSON.stringify({ actions: [], nextCursor: null }));
    await client.call(auditRoutes.list, { query: { action: 'keys & people', person: undefined, limit: 5 } });
    expect(seen.url).toBe('/v1/audit?action=keys+%26+people&limit=5');

    answer = (response) => response.end(JSON.stringify({ rows: 1, lines: 2 }));
    await client.call(memoryRoutes.undoForget, { body: { receipt: ID } });
    expect(seen).toMatchObject({ method: 'POST', body: JSON.stringify({ receipt: ID }) });
  });

  it('of a route that answers nothing, or a file, gives that', async () => {
    answer = (response) => response.writeHead(204).end();
    await expect(client.call(signInRoutes.signOut)).resolves.toBeUndefined();
    answer = (response) => response.end(Buffer.from([1, 2, 255]));
    const file = await client.call(companionRoutes.moodCard, { params: { id: 'mira' } });
    expect([...file]).toEqual([1, 2, 255]);
  });

  it('that is refused fails with the problem, or without one where it is none of Kith’s', async () => {
    const problem = { type: 'urn:x', title: 'No', status: 403, detail: 'not you', code: 'forbidden' };
    answer = (response) => response.writeHead(403).end(JSON.stringify(problem));
    expect(await failureOf(client.call(companionRoutes.list))).toEqual({
      kind: 'refused',
      status: 403,
      problem,
    });
    answer = (response) => response.writeHead(502).end('<html>');
    expect(await failureOf(client.call(companionRoutes.list))).toEqual({
      kind: 'refused',
      status: 502,
      problem: null,
    });
  });

  it('goes where an answer points, or says where that is', async () => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    answer = (response, { url }) => {
      if (url?.startsWith('/v1')) response.writeHead(308, { location: `${address}/new${url}` }).end();
      else response.end(JSON.stringify({ actions: [], nextCursor: null }));
    };
    const ask = (client: RouteClient) => client.call(auditRoutes.list, { query: { limit: 5 } });
    expect(await ask(open(address, 'kth_x'))).toMatchObject({ actions: [] });
    expect(await failureOf(ask(open(address, 'kth_x', 'manual')))).toEqual({
      kind: 'refused',
      status: 308,
      problem: null,
      movedTo: `${address}/new`,
    });
  });

  it('says of an answer that points elsewhere, or to another path, only that it is refused', async () => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const asked = async (location: string) => {
      answer = (response) => response.writeHead(302, { location }).end();
      const manual = open(address, 'kth_x', 'manual');
      return failureOf(manual.call(auditRoutes.list, { query: { limit: 5 } }));
    };
    const refused = { kind: 'refused', status: 302, problem: null };
    for (const location of [
      'https://login.example/',
      '/sign-in',
      '/sign-in?to=/v1/audit?limit=5',
      'https://',
      '/v1/audit',
      '/v1/audit?limit=5',
    ])
      expect(await asked(location)).toEqual(refused);
    expect(await asked('/new/v1/audit?limit=5')).toEqual({ ...refused, movedTo: `${address}/new` });
    expect(await asked('//kith.example/v1/audit?limit=5')).toEqual({
      ...refused,
      movedTo: 'http://kith.example',
    });
  });

  it('fails by its own name where nothing answers, where it breaks off, and where another version answers', async () => {
    expect((await failureOf(open('http://127.0.0.1:1').call(companionRoutes.list))).kind).toBe('unreachable');
    expect((await failureOf(client.call(companionRoutes.list))).kind).toBe('not-understood');
    answer = (response, request) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      setImmediate(() => request.socket.destroy());
    };
    expect((await failureOf(client.call(companionRoutes.list))).kind).toBe('broken-off');
  });
});

describe('a call that gets no answer in time', () => {
  const quick = () => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return new RouteClient({
      address,
      key: 'kth_x',
      timeoutMs: 50,
      explain: (failure) => new Failed(failure),
    });
  };

  it('says so, also where the answer has begun', async () => {
    answer = () => undefined;
    const timedOut = { kind: 'timed-out', timeoutMs: 50 };
    expect(await failureOf(quick().call(companionRoutes.list))).toMatchObject(timedOut);
    answer = (response) => void response.writeHead(200, { 'content-length': '100' }).write('{');
    expect(await failureOf(quick().call(companionRoutes.list))).toMatchObject(timedOut);
  });

  it('waits longer where its route may be at work longer', async () => {
    answer = (response) => void setTimeout(() => response.end(JSON.stringify({ tests: [] })), 200);
    await expect(quick().call(modelRoutes.test, { body: {} })).resolves.toEqual({ tests: [] });
  });
});

it('a refusal by number alone says when the request is welcome', async () => {
  answer = (response) => response.writeHead(429, { 'retry-after': '7' }).end('{}');
  expect(await failureOf(client.call(companionRoutes.list))).toMatchObject({ status: 429, retryAfterS: 7 });
});

describe('a stream', () => {
  const say = { body: { message: 'hi', stream: true } };
  const token = { type: 'token', turnId: ID, text: 'Hé' };

  it('yields its events as they come, in whatever pieces, and ends with it', async () => {
    const bytes = Buffer.from(`event: token\ndata: ${JSON.stringify(token)}\n\n`);
    answer = (response) => {
      response.write(bytes.subarray(0, -5));
      setTimeout(() => response.end(bytes.subarray(-5)), 10);
    };
    const events = [];
    for await (const event of client.follow(chatRoutes.say, say, new AbortController().signal))
      events.push(event);
    expect(events).toEqual([token]);
  });

  it('that breaks off says so; one that its caller gave up throws what it was given up with', async () => {
    answer = (response, request) => {
      response.write(`data: ${JSON.stringify(token)}\n\n`);
      setTimeout(() => request.socket.destroy(), 10);
    };
    const read = async (signal: AbortSignal) => {
      for await (const _ of client.follow(chatRoutes.say, say, signal)) if (signal.aborted) continue;
    };
    expect((await failureOf(read(new AbortController().signal))).kind).toBe('broken-off');
    const given = new AbortController();
    answer = (response) => {
      response.write(': here\n\n');
      setTimeout(() => given.abort(new Error('enough')), 10);
    };
    await expect(read(given.signal)).rejects.toThrow('enough');
  });
});
