import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { ServiceProcess } from './service-process.js';

it('is started again where the machine refuses to start it, and ends nobody who asks', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'kith-process-'));
  let tell = (_: string) => {};
  const told = new Promise<string>((resolve) => (tell = resolve));
  const service = new ServiceProcess('broken', {
    preload: import.meta.filename,
    entry: 'none',
    args: [],
    logFile: join(directory, 'broken.log'),
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

it('is not started again where its first start was refused, and is told of and tried again after a good one', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'kith-process-'));
  const entry = join(directory, 'entry.mjs');
  await writeFile(
    entry,
    `console.error("it can't start, its settings are wrong:\\nHOOKS_DIR: half of a file")`,
  );
  const told: string[] = [];
  const service = new ServiceProcess('refused', {
    preload: entry,
    entry,
    args: [],
    environment: {},
    logFile: join(directory, 'refused.log'),
    heap: { maxMegabytes: 64, semiSpaceMegabytes: 1 },
    onSpawn: () => undefined,
    onDeath: (_, how) => told.push(how),
  });
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance', 'Date'] });
  const until = async (isSo: () => boolean) => {
    while (!isSo()) {
      jest.advanceTimersByTime(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  try {
    service.start();
    await until(() => service.refusals.length > 0);
    expect(service.refusals).toEqual([{ service: 'it', problems: ['HOOKS_DIR: half of a file'] }]);
    jest.advanceTimersByTime(60_000);
    expect(service.starts).toBe(1);
    expect(told).toEqual([]);

    service.keepUp();
    await until(() => service.starts === 4);
    const reason = 'code 0: settings are wrong, mend them in .env: HOOKS_DIR: half of a file [it]';
    expect(told.slice(0, 2)).toEqual(Array(2).fill(reason));
  } finally {
    jest.useRealTimers();
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  }
});
