import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import type { ServiceHealth } from '@kith/contracts';
import { RunningService } from './running-service.js';

it('hears what a service lacks, and nothing of another program that has its port', async () => {
  const lacking: ServiceHealth = {
    ...{ service: 'memory', ready: false, degraded: [] },
    dependencies: {
      index: { up: true, problem: null, tookMs: 1 },
      redis: { up: false, problem: 'not connected', tookMs: null },
    },
  };
  let said: unknown = lacking;
  const server = createServer((_, response) => response.end(JSON.stringify(said))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const service = new RunningService('memory', `http://127.0.0.1:${port}`, {} as never);

  expect(await service.health()).toEqual({ ready: false, problems: ['redis: not connected'] });
  for (said of [{ ready: true }, 'ok', null]) expect(await service.health()).toBeNull();
  server.close();
  expect(await service.health()).toBeNull();
});
