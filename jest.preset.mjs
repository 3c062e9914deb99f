import { join } from 'node:path';

const tool = (name) => join(import.meta.dirname, 'tools/jest', name);

// Every package's tests. Node itself loads them (decision 28).
export default {
  testEnvironment: tool('native-environment.mjs'),
  runtime: tool('native-runtime.mjs'),
  injectGlobals: false,
  moduleFileExtensions: ['ts', 'tsx', 'mjs', 'js', 'json'],
  transform: {},
  testMatch: ['<rootDir>/src/**/*.test.ts'],
  // Under a loaded two-core machine a real store, or a whole suite, can take its time; a hung test still ends.
  testTimeout: 90_000,
};
