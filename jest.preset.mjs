import { join } from 'node:path';

// Every package's tests: ESM, sources of the workspace's own libraries, decorators kept for Nest.
export default {
  // Not in the folder for what passes, which is another one at each run of scripts/test.
  cacheDirectory: join(import.meta.dirname, 'node_modules/.cache/jest'),
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@kith/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  testMatch: ['<rootDir>/src/**/*.test.ts'],
  // Under a loaded two-core machine a real store, or a whole suite, can take its time; a hung test still ends.
  testTimeout: 90_000,
};
