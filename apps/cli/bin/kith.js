#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const finder = new URL('../../../libs/embedded/dist/bundled-programs.js', import.meta.url);
if (existsSync(new URL('../dist/main.js', import.meta.url)) && existsSync(finder)) {
  // Bundled into few files it starts in a third of the time.
  const { programsOf } = await import(finder.href);
  await import(pathToFileURL(`${await programsOf(root)}/apps/cli/dist/main.js`).href);
} else {
  console.error('kith has not been built yet: run ./scripts/up, or npm ci && npm run build');
  process.exitCode = 1;
}
