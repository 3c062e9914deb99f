import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GuardedFetch, type FetchSettings } from './guarded-fetch.js';

const signal = new AbortController().signal;
const order = { types: ['text/'], maxBytes: 10_000, signal };
/** Stands for an address out on the internet; 127.0.0.1 is inside. */
const OUTSIDE = '127.0.0.2';

const servers: Server[] = [];
let port: number;
let heard: { host: string; url: string; headers: Record<string, unknown> }[] = [];
let answers: RequestListener = (_, response) => void response.end();

/** Serves one port on both sides: whoever is asked notes it. */
async function serve(host: string, at: number): Promise<number> {
  const server = createServer((request, response) => {
    heard.push({ host, url: request.url ?? '', headers: request.headers });
    answers(request, response);
  });
  servers.push(server);
  await new Promise<void>((listening) => server.listen(at, host, listening));
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  port = await serve(OUTSIDE, 0);
  await serve('127.0.0.1', port);
});
beforeEach(() => {
  heard = [];
});
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

/** Makes a fetch whose internet is 127.0.0.2, and whose names lead where the test says. */
function open(names: Record<string, string[]> = {}, settings: FetchSettings = {}) {
  const asked: string[] = [];
  const web = new GuardedFetch({
    ports: [80, 443, port],
    mayConnect: (address) => address === OUTSIDE,
    resolve: async (name) => {
      asked.push(name);
      return names[name] ?? [OUTSIDE];
    },
    ...settings,
  });
  return { web, asked };
}

const page = (text: string): RequestListener => {
  return (_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(text);
};
const at = (path: string, name = 'page.test') => `http://${name}:${port}${path}`;

describe('an address that is read', () => {
  it('gets no cookie, no credentials, and no page before', async () => {
    answers = (request, response) =>
      request.url === '/'
        ? response.writeHead(302, { location: '/next', 'set-cookie': 'a=b' }).end()
        : page('hello')(request, response);
    const { bytes, url, isCut } = await open().web.get(at('/'), { ...order, headers: { 'x-key': 'secret' } });
    expect([bytes.toString(), url.pathname, isCut]).toEqual(['hello', '/next', false]);
    expect(heard.map(({ headers }) => headers['x-key'])).toEqual(['secret', undefined]);
    expect(Object.keys(heard[1]!.headers).toSorted()).toEqual(
      ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'].toSorted(),
    );
  });

  it('is asked at the address that was checked, whatever its name says a moment later', async () => {
    answers = page('hello');
    const turns = [[OUTSIDE], ['127.0.0.1']];
    const { web } = open({}, { resolve: async () => turns.shift() ?? ['127.0.0.1'] });
    expect((await web.get(at('/'), order)).bytes.toString()).toBe('hello');
    expect(turns).toHaveLength(1);
    await expect(web.get(at('/'), order)).rejects.toThrow(/not out on the internet/);
    expect(heard.map(({ host }) => host)).toEqual([OUTSIDE]);
  });
});

describe('an address inside', () => {
  it.each([
    ['a name that leads there', () => at('/', 'rebound.test')],
    ['a name that leads there too', () => at('/', 'mixed.test')],
    ['a name that leads nowhere', () => at('/', 'empty.test')],
    ['itself', () => `http://127.0.0.1:${port}/`],
  ])('is not asked: %s', async (_, url) => {
    const names = { 'rebound.test': ['127.0.0.1'], 'mixed.test': [OUTSIDE, '127.0.0.1'], 'empty.test': [] };
    await expect(open(names).web.get(url(), order)).rejects.toThrow(/not out on the internet/);
    expect(heard).toEqual([]);
  });

  it.each([
    ['http://169.254.169.254/latest/meta-data/', /not out on the internet/],
    ['http://inside.test/', /not out on the internet/],
    ['//0x7f.1/', /four of them/],
    ['file:///etc/passwd', /only http/],
    ['http://u:p@page.test/', /no name or password/],
    ['http://page.test:6379/', /port 6379/],
    ['http://[::1]/', /not out on the internet/],
  ])('is not asked by a redirect: %s', async (location, reason) => {
    answers = (_, response) => void response.writeHead(302, { location }).end();
    const { web } = open({ 'inside.test': ['10.0.0.1'] });
    await expect(web.get(at('/'), order)).rejects.toThrow(reason);
    expect(heard).toHaveLength(1);
  });

  it('is asked where the operator trusts its origin, and nothing beside it', async () => {
    answers = page('wiki');
    const { web } = open({}, { origins: [`http://127.0.0.1:${port}`], ports: [80] });
    expect((await web.get(`http://127.0.0.1:${port}/`, order)).bytes.toString()).toBe('wiki');
    await expect(web.get(`http://127.0.0.1/`, order)).rejects.toThrow(/not out on the internet/);
  });
});

describe('what a host sends', () => {
  it('ends after a few redirects', async () => {
    answers = (_, response) => void response.writeHead(302, { location: '/again' }).end();
    await expect(open().web.get(at('/'), order)).rejects.toThrow(/again and again/);
    expect(heard).toHaveLength(5);
  });

  it('is given up at once where it is packed in an unknown way', async () => {
    const closed = new Promise((close) => {
      answers = (_, response) => {
        response.once('close', () => close(response.writableFinished));
        response
          .writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'zstd' })
          .write('never ends');
      };
    });
    await expect(open().web.get(at('/'), order)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await closed).toBe(false);
  }, 5_000);

  it('is unpacked as far as it is read: a bomb is cut', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 'a'));
    expect(bomb.length).toBeLessThan(60_000);
    const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip' };
    answers = (_, response) => void response.writeHead(200, headers).end(bomb);
    const { bytes, isCut } = await open().web.get(at('/'), order);
    expect([bytes.length, isCut]).toEqual([10_000, true]);
  });

  it('is cut where it never ends', async () => {
    answers = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const more = () => {
        while (!response.destroyed && response.write('a'.repeat(1_000)));
      };
      response.on('drain', more);
      more();
    };
    const { bytes, isCut } = await open().web.get(at('/'), order);
    expect([bytes.length, isCut]).toEqual([10_000, true]);
  });

  it.each<[string, RequestListener]>([
    [
      'begins and stops',
      (_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).write('a'),
    ],
    ['never begins', () => undefined],
  ])('is not waited for where it %s', async (_, slow) => {
    answers = slow;
    await expect(open({}, { timeoutMs: 100 }).web.get(at('/'), order)).rejects.toThrow(/in time/);
  });

  it('is refused at once where it is another protocol, which nobody asked for', async () => {
    answers = ({ socket }) =>
      void socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    const asked = open({}, { timeoutMs: 2_000 }).web.get(at('/'), order);
    await expect(asked).rejects.toThrow('page.test answered with HTTP 101');
  }, 5_000);

  it('is not waited for by a name that is not found in time', async () => {
    const { web } = open({}, { timeoutMs: 50, resolve: () => new Promise(() => undefined) });
    await expect(web.get(at('/'), order)).rejects.toThrow(/in time/);
  });

  it.each<[string, number, Record<string, string>, string]>([
    ['a type that is not asked for', 200, { 'content-type': 'application/zip' }, 'invalid_request'],
    ['no type', 200, {}, 'invalid_request'],
    [
      'packing within packing',
      200,
      { 'content-type': 'text/plain', 'content-encoding': 'gzip, gzip' },
      'invalid_request',
    ],
    [
      'what is not packed as it says',
      200,
      { 'content-type': 'text/plain', 'content-encoding': 'gzip' },
      'unavailable',
    ],
    ['nothing there', 404, {}, 'not_found'],
    ['a failure', 503, {}, 'unavailable'],
  ])('is refused: %s', async (_, status, headers, code) => {
    answers = (_request, response) => void response.writeHead(status, headers).end('words');
    await expect(open().web.get(at('/'), order)).rejects.toMatchObject({ code });
  });
});
