import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { KEY } from '../e2e/scripted-api.js';
import { readConfig } from './config.js';

const before = process.env;
const { KITH_KEY: _, KITH_URL: __, KITH_DOMAIN: ___, ...others } = before;
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kith-config-'));
  process.env = { ...others };
});
afterEach(() => {
  rmSync(root, { recursive: true });
  process.env = before;
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

it('finds a suite in containers by .env, as the scripts start it, unless the environment names its address', () => {
  process.env['KITH_DOMAIN'] = 'elsewhere.example';
  expect(readConfig({}, root).url).toBe('http://localhost:8080');
  writeFileSync(join(root, '.env'), 'KITH_DOMAIN=kith.example\n');
  expect(readConfig({}, root).url).toBe('https://kith.example');
  process.env['KITH_URL'] = 'http://10.0.0.5:3000/';
  expect(readConfig({}, root).url).toBe('http://10.0.0.5:3000');
});
