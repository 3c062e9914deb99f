import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { fileOutput } from './file-output.js';

it('has each piece in the file at once, behind what is there, and tells what could not be written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kith-output-'));
  const file = openSync(join(folder, 'log'), 'a');
  const output = fileOutput(file);
  const written = () => readFileSync(join(folder, 'log'), 'utf8');
  try {
    output.write('one\n');
    output.write('two 🦉\n');
    expect(written()).toBe('one\ntwo 🦉\n');
    closeSync(file);
    const failed = once(output, 'error');
    output.write('three\n');
    expect(await failed).toMatchObject([{ code: 'EBADF' }]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
