import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WebSocket, WebSocketServer } from 'ws';
import { answersPing } from '../fuzz/play-socket.ts';

/** Long enough to answer over loopback on a busy machine. */
const PATIENT_MS = 5_000;

describe('answersPing', () => {
  let server: WebSocketServer;
  beforeEach(async () => {
    server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
  });
  afterEach(() => server.close());

  async function judged(answer: (socket: WebSocket) => void, withinMs: number) {
    server.removeAllListeners('connection');
    server.on('connection', (socket) => socket.on('message', () => answer(socket)));
    const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await once(socket, 'open');
    const verdict = await answersPing(socket, withinMs);
    socket.terminate();
    return verdict;
  }

  it('takes a pong, and a connection that is closed', async () => {
    expect(await judged((socket) => socket.send('{"type":"pong"}'), PATIENT_MS)).toBeNull();
    expect(await judged((socket) => socket.close(), PATIENT_MS)).toBeNull();
  });

  it('sees each ping that is not answered, also where a timer fires early', async () => {
    for (let time = 0; time < 30; time += 1)
      expect(await judged(() => undefined, 20)).toBe('a WebSocket did not answer a ping within 20 ms');
  });
});
