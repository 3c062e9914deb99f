import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from './eventually.js';
import { FaultProxy } from './fault-proxy.js';

let echo: Server;
let proxy: FaultProxy;
const open: Socket[] = [];

beforeEach(async () => {
  echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  proxy = await FaultProxy.start({ port: (echo.address() as AddressInfo).port });
});
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await proxy.stop();
  echo.close();
});

function dial(): { socket: Socket; heard: () => string } {
  const socket = connect(proxy.port, '127.0.0.1');
  let text = '';
  socket.on('data', (bytes) => (text += String(bytes))).on('error', () => undefined);
  open.push(socket);
  return { socket, heard: () => text };
}

describe('a network that fails on purpose', () => {
  it('passes everything on while it is open', async () => {
    const { socket, heard } = dial();
    socket.write('hello');
    await eventually('the echo', () => heard() === 'hello');
  });

  it('cuts what stands and refuses what comes, until it is open again', async () => {
    const before = dial();
    before.socket.write('a');
    await eventually('the echo', () => before.heard() === 'a');
    const closed = new Promise((resolve) => before.socket.once('close', resolve));
    await proxy.set('refuse');
    await closed;
    const refused = dial();
    const [error] = (await once(refused.socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
    await proxy.set('open');
    const after = dial();
    after.socket.write('b');
    await eventually('the echo', () => after.heard() === 'b');
  });

  it('swallows what is sent into a black hole', async () => {
    const { socket, heard } = dial();
    socket.write('a');
    await eventually('the echo', () => heard() === 'a');
    await proxy.set('black-hole');
    socket.write('b');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(heard()).toBe('a');
    await proxy.set('open');
    await eventually('what was held', () => heard() === 'ab');
  });

  it('delays answers', async () => {
    proxy.delay(150);
    const { socket, heard } = dial();
    const started = performance.now();
    socket.write('slow');
    await eventually('the echo', () => heard() === 'slow');
    expect(performance.now() - started).toBeGreaterThan(140);
  });

  it('keeps the order of what it delays, and ends behind it', async () => {
    const { socket, heard } = dial();
    const ended = once(socket, 'end');
    proxy.delay(200);
    socket.write('A');
    // Answered, and held.
    await new Promise((resolve) => setTimeout(resolve, 100));
    proxy.delay(0);
    socket.end('B');
    await ended;
    expect(heard()).toBe('AB');
  });
});
