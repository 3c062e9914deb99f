import { globSync } from 'node:fs';
import preset from './jest.preset.mjs';

// Every package's tests in one run, as the gate has it: what waits and what works share the machine to the end.
export default {
  projects: globSync('{libs/*,services/*,apps/*,tests}/jest.config.mjs', { cwd: import.meta.dirname }),
  testTimeout: preset.testTimeout,
  // Three of whole suites keep two cores busy, and beside them goes one that waits for real time. With five, the run is no
  // shorter by a tenth, and services miss the times they are held to.
  maxWorkers: 4,
  // A worker keeps all modules that its files have loaded: one that has grown past this is begun anew.
  workerIdleMemoryLimit: '2GB',
  testSequencer: '<rootDir>/tools/jest-sequencer.mjs',
  reporters: ['default', '<rootDir>/tools/jest-count-reporter.mjs'],
};
