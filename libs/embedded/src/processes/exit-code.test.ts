import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import { findPostmaster } from './process-records.js';

const built = pathToFileURL(join(import.meta.dirname, '../../dist/index.js')).href;

it.each([0, 3])('leaves a process that uses it the exit code %d that it set, without a word', (code) => {
  const script = `await import('${built}'); process.exitCode = ${code};`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: code, stderr: '' });
});

it.each([
  ['stops with a process that a signal ends', '', true],
  [
    'is left to a process that hears the signal itself',
    "process.on('SIGTERM', () => console.log('heard'));",
    false,
  ],
])(
  'PostgreSQL %s',
  async (_, listener, isStopped) => {
    const folder = await mkdtemp(join(tmpdir(), 'kith-exit-'));
    const directory = join(folder, 'postgres');
    const script = `import { freePort, startPostgres } from '${built}';
    ${listener}
    const port = await freePort();
    await startPostgres({ directory: ${JSON.stringify(directory)}, port, password: 'p', durable: false });
    console.log('ready');`;
    const user = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(user, 'exit');
    const lines = createInterface({ input: user.stdout })[Symbol.asyncIterator]();
    try {
      expect(await lines.next()).toMatchObject({ value: 'ready' });
      const server = findPostmaster(directory);
      expect(server).not.toBeNull();
      user.kill('SIGTERM');
      if (isStopped) {
        expect(await ended).toEqual([null, 'SIGTERM']);
        while (findPostmaster(directory)) await sleep(20);
      } else {
        expect(await lines.next()).toMatchObject({ value: 'heard' });
        expect(findPostmaster(directory)).toEqual(server);
      }
    } finally {
      if (!isStopped) {
        user.kill('SIGINT');
        await ended;
        while (findPostmaster(directory)) await sleep(20);
      }
      await rm(folder, { recursive: true, force: true });
    }
  },
  60_000,
);
