import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

it('leaves a process that uses it the exit code that it set', () => {
  const built = pathToFileURL(join(import.meta.dirname, '../dist/index.js')).href;
  const { status } = spawnSync(process.execPath, [
    '--input-type=module',
    '--eval',
    `await import('${built}'); process.exitCode = 3;`,
  ]);
  expect(status).toBe(3);
});
