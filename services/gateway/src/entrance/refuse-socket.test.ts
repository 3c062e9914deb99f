import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { AppError } from '@kith/contracts';
import { eventually } from '@kith/testing';
import { refuseSocket, refuseUnreadable } from './refuse-socket.js';

describe('a client that never ends its own side', () => {
  let server: Server;
  afterEach(() => void server.close());

  it.each([
    ['sends half a request', 'GET / HTTP/1.1\r\n', 408],
    ['sends none that can be read', 'nonsense\r\n\r\n', 400],
    ['sends headers without an end', `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}`, 431],
  ])('and %s is answered and let go', async (_, sent, status) => {
    const timeouts = { headersTimeout: 200, requestTimeout: 200, connectionsCheckingInterval: 50 };
    server = createServer(timeouts, (_request, response) => response.end()).on(
      'clientError',
      refuseUnreadable,
    );
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    client.write(sent);
    expect(await text(client)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const held = () => new Promise<number>((tell) => server.getConnections((_error, count) => tell(count)));
    await eventually('the socket to be let go', async () => (await held()) === 0);
    client.destroy();
  });
});

describe('a client that asks for the head alone', () => {
  it('gets no words behind it', async () => {
    const server = createServer().on(
      'checkExpectation',
      ({ method }: IncomingMessage, { socket }: ServerResponse) =>
        refuseSocket(socket!, new AppError('not_found', 'there is nothing at this address'), method),
    );
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const client = connect({ port, host: '127.0.0.1' });
    client.write('HEAD / HTTP/1.1\r\nHost: x\r\nExpect: something\r\n\r\n');
    expect(await text(client)).toMatch(/^HTTP\/1.1 404 [^]*\r\nContent-Length: \d+\r\n[^]*\r\n\r\n$/);
    server.close();
  });
});

describe('a client that never reads', () => {
  afterEach(() => void jest.useRealTimers());

  it('is let go once its time is over', () => {
    jest.useFakeTimers();
    const socket = new Duplex({ read: () => undefined, write: () => undefined });
    refuseSocket(socket, new AppError('not_found', 'there is nothing at this address'));
    expect(socket.destroyed).toBe(false);
    jest.advanceTimersByTime(10_000);
    expect(socket.destroyed).toBe(true);
  });
});
