import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { KEY, OTHER_KEY } from '../e2e/scripted-api.js';
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

it('keeps the key in .env for the suite of the checkout', () => {
  const keyFor = (url?: string) => readConfig({ ...(url && { url }) }, root).key;
  const own = 'KITH_DOMAIN=kith.example\nKITH_URL=http://localhost:3000\n';
  writeFileSync(join(root, '.env'), `${own}KITH_KEY=${KEY}\n`);
  const places = ['http://localhost:3000/', 'http://127.0.0.1:3000', 'https://kith.example:443'];
  expect([undefined, ...places].map(keyFor)).toEqual([KEY, KEY, KEY, KEY]);
  const others = ['http://localhost:3001', 'http://kith.example', 'https://kith.example.net', 'nonsense'];
  expect(others.map(keyFor)).toEqual(others.map(() => undefined));
  process.env['KITH_URL'] = 'https://kith.example.net';
  expect(keyFor()).toBeUndefined();
  // Whoever names the key, too, has said where it goes.
  process.env['KITH_KEY'] = OTHER_KEY;
  expect(keyFor()).toBe(OTHER_KEY);
  expect(readConfig({ key: KEY }, root).key).toBe(KEY);
});

it('reads settings without the spaces around them, as the services do', () => {
  writeFileSync(join(root, '.env'), `KITH_KEY=" ${KEY}"\nDISCORD_TOKEN=" "\n`);
  const { key, setting } = readConfig({}, root);
  expect([key, setting('DISCORD_TOKEN')]).toEqual([KEY, undefined]);
  process.env['KITH_KEY'] = ` ${OTHER_KEY}\n`;
  expect(readConfig({}, root).key).toBe(OTHER_KEY);
});
