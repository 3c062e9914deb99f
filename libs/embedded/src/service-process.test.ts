import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ServiceProcess } from './service-process.js';

it('is started again where the machine refuses to start it, and ends nobody who asks', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'kith-process-'));
  let tell = (_: string) => {};
  const told = new Promise<string>((resolve) => (tell = resolve));
  const service = new ServiceProcess('broken', {
    ...{ preload: import.meta.filename, entry: 'none', args: [], logFile: join(directory, 'broken.log') },
    heap: { maxMegabytes: 64, semiSpaceMegabytes: 1 },
    // What Node refuses at once, as it does where fork finds no memory.
    environment: { BROKEN: 'a\0b' },
    onSpawn: () => undefined,
    onDeath: (_, how) => tell(how),
  });
  service.start();
  expect(await told).toContain('ERR_INVALID_ARG_VALUE');
  expect(service.pid).toBeUndefined();
  await service.stop();
  await rm(directory, { recursive: true, force: true });
});
