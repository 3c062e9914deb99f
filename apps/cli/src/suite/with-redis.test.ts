import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { withRedis } from './with-redis.js';

const sockets: Socket[] = [];
let server: Server;
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

/** Listens as a Redis does that gives these answers, one for each command it is sent, and then none. */
async function redisThatSays(...answers: string[]): Promise<string> {
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write(answers.shift() ?? ''));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('gives up a Redis that accepts and says nothing', async () => {
  const work = withRedis(await redisThatSays(), (redis) => redis.get('a'));
  await expect(work).rejects.toThrow(/timeout|timed out/i);
}, 20_000);

it('gives up a Redis that falls silent', async () => {
  const info = 'redis_version:7.0.0\r\n';
  const url = await redisThatSays(`$${info.length}\r\n${info}\r\n`);
  await expect(withRedis(url, (redis) => redis.get('a'))).rejects.toThrow(/timeout|timed out/i);
}, 20_000);
