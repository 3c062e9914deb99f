import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';

it.each([0, 3])('leaves a process that uses it the exit code %d that it set, without a word', (code) => {
  const built = pathToFileURL(join(import.meta.dirname, '../dist/index.js')).href;
  const script = `await import('${built}'); process.exitCode = ${code};`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: code, stderr: '' });
});
