import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_PICTURE_BYTES } from '@kith/contracts';
import pino from 'pino';
import { GuardedFetch } from './guarded-fetch.js';
import { PictureReader } from './picture-reader.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d', 'hex');
const signal = new AbortController().signal;
const logger = pino({ level: 'silent' });

let server: Server;
let base: string;
let answers: RequestListener;

beforeAll(async () => {
  server = createServer((request, response) => answers(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const reader = (hosts = ['127.0.0.1']) =>
  new PictureReader(new GuardedFetch({ origins: [base] }), hosts, logger);
const send = (body: Buffer, type = 'image/png') => {
  answers = (_, response) => void response.writeHead(200, { 'content-type': type }).end(body);
};

describe('a picture of a message', () => {
  it.each([
    ['png', PNG, 'image/png'],
    ['jpeg', Buffer.from('ffd8ffe000104a464946', 'hex'), 'image/jpeg'],
    ['gif', Buffer.from('GIF89a......'), 'image/gif'],
    ['webp', Buffer.from('RIFF\n\r..WEBPVP8 '), 'image/webp'],
  ])('is what its bytes say, whatever it is called: %s', async (_, bytes, mediaType) => {
    send(bytes, 'image/x-other');
    const expected = { type: 'image', mediaType, data: bytes.toString('base64') };
    expect(await reader().read(`${base}/a`, signal)).toEqual(expected);
    expect(await reader().read(`data:image/png;base64,${bytes.toString('base64')}`, signal)).toEqual(
      expected,
    );
  });

  it.each<[string, () => void]>([
    ['no picture', () => send(Buffer.from('<svg onload=x>'))],
    ['called something else', () => send(PNG, 'text/html')],
    ['too large', () => send(Buffer.concat([PNG, Buffer.alloc(MAX_PICTURE_BYTES)]))],
    ['gone', () => (answers = (_, response) => void response.writeHead(404).end())],
    [
      'elsewhere',
      () => {
        answers = (_, response) =>
          void response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
      },
    ],
  ])('is left out where it is %s', async (_, prepare) => {
    prepare();
    expect(await reader().read(`${base}/a`, signal)).toBeNull();
  });

  it('is fetched from the hosts of doors alone', async () => {
    send(PNG);
    expect(await reader(['cdn.example.org']).read(`${base}/a`, signal)).toBeNull();
  });
});
