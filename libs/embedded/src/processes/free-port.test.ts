import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { freePort, untilPortIsFree } from './free-port.js';

async function listenOn(port: number, host = '127.0.0.1') {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  return server;
}

it('waits for a port that is being let go of', async () => {
  const port = await freePort();
  const server = await listenOn(port);
  const free = untilPortIsFree(port, 'gateway', 'GATEWAY_PORT');
  await sleep(300);
  server.close();
  await expect(free).resolves.toBeUndefined();
});

/** Not every machine has the second and the third, containers least of all. */
const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);
const hosts = ['127.0.0.1', ...(hasIpv6 ? ['::1', '::'] : [])];

it.each(hosts)('names who holds the port at %s, and what to do', async (host) => {
  const port = await freePort();
  const server = await listenOn(port, host);
  const by = process.platform === 'linux' ? ` by node \\(process ${process.pid}\\)` : '';
  await expect(untilPortIsFree(port, 'gateway', 'GATEWAY_PORT')).rejects.toThrow(
    new RegExp(
      `^port ${port}, meant for gateway, is taken${by}: stop what listens there, or set GATEWAY_PORT in .env to another$`,
    ),
  );
  server.close();
});
