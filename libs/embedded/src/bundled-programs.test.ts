import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { bundleOf } from './bundled-programs.js';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'kith-bundle-'));
  for (const folder of ['apps', 'libs', 'services']) await mkdir(join(root, folder));
});
afterEach(() => rm(root, { recursive: true }));

it.each([
  'tools/bundle-programs.mjs',
  'tools/service-settings.mjs',
  'node_modules/.package-lock.json',
  'services/memory/dist/.tsbuildinfo',
])('names another bundle once %s is another', async (file) => {
  await mkdir(join(root, dirname(file)), { recursive: true });
  await writeFile(join(root, file), 'before');
  const before = await bundleOf(root);
  expect(await bundleOf(root)).toBe(before);
  await writeFile(join(root, file), 'afterwards');
  expect(await bundleOf(root)).not.toBe(before);
});
