import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { judgeAnswer } from '../fuzz/judge-answer.ts';
import { sendRequest } from '../fuzz/send-request.ts';

/** Sends a request to a server that answers so, and judges what comes. */
async function judged(
  answer: RequestListener,
  request: { body?: Buffer; headers?: Record<string, string> } = {},
) {
  // Its own limit would answer for it.
  const server = createServer({ maxHeaderSize: 32 * 1024 }, answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sent = { route: 'any', method: 'POST', path: '/', headers: {}, body: null, ...request };
  const answered = await sendRequest(url, sent);
  server.closeAllConnections();
  server.close();
  return judgeAnswer(sent, answered, 5_000);
}

describe('judgeAnswer', () => {
  it('takes a whole answer', async () => {
    expect(await judged((_, response) => response.end('{}'))).toBeNull();
  });

  it('sees a connection that was dropped, apart from one under a request that can not be read', async () => {
    const drop: RequestListener = ({ socket }) => socket.destroy();
    expect(await judged(drop)).toBe('no answer');
    expect(await judged(drop, { body: Buffer.alloc(1_100_000) })).toBeNull();
    expect(await judged(drop, { headers: { cookie: 'c'.repeat(20_000) } })).toBeNull();
  });

  it('sees an answer that was cut off', async () => {
    const cut: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-length': 99 }).write('{', () => response.destroy());
    };
    expect(await judged(cut)).toBe('status 200, cut off');
  });
});
