import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { KEY } from '../e2e/scripted-api.js';
import { readConfig } from './config.js';

const before = process.env['KITH_KEY'];
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kith-config-'));
  delete process.env['KITH_KEY'];
});
afterEach(() => {
  rmSync(root, { recursive: true });
  if (before !== undefined) process.env['KITH_KEY'] = before;
  else delete process.env['KITH_KEY'];
});

it('does without a .env that is not there, or that is not to be read where a key is given', () => {
  expect(readConfig({}, root)).toMatchObject({ hasEnvFile: false, key: undefined });
  // A file of another user's would do as well, but not where the tests run as root.
  mkdirSync(join(root, '.env'));
  expect(() => readConfig({ url: 'http://x' }, root)).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/\.env can't be read: EISDIR.+ --key and --url/),
    }),
  );
  expect(readConfig({ key: KEY }, root)).toMatchObject({ hasEnvFile: false, key: KEY });
  process.env['KITH_KEY'] = KEY;
  expect(readConfig({}, root)).toMatchObject({ hasEnvFile: false, key: KEY });
});
