import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { PARENT_HEADER, type ServiceHealth } from '@kith/contracts';
import { RunningService } from './running-service.js';

it('hears what a service lacks, and nothing of another program that has its port', async () => {
  const lacking: ServiceHealth = {
    service: 'memory',
    ready: false,
    degraded: [],
    dependencies: {
      index: { up: true, problem: null, tookMs: 1 },
      redis: { up: false, problem: 'not connected', tookMs: null },
    },
  };
  let said: unknown = lacking;
  let parent = process.pid;
  const server = createServer((_, response) => {
    response.setHeader(PARENT_HEADER, parent).end(JSON.stringify(said));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const service = new RunningService('memory', `http://127.0.0.1:${port}`, {} as never);

  expect(await service.health()).toEqual({ ready: false, problems: ['redis: not connected'] });
  // The service of another suite of this machine.
  parent = process.ppid;
  expect(await service.health()).toBeNull();
  parent = process.pid;
  for (said of [{ ready: true }, 'ok', null]) expect(await service.health()).toBeNull();
  server.close();
  expect(await service.health()).toBeNull();
});
