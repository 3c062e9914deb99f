#!/usr/bin/env node
import { existsSync } from 'node:fs';

const built = new URL('../dist/main.js', import.meta.url);
if (existsSync(built)) {
  await import(built.href);
} else {
  console.error('kith has not been built yet: run ./scripts/up, or npm ci && npm run build');
  process.exitCode = 1;
}
