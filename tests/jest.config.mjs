import preset from '../jest.preset.mjs';

// Whole suites of processes start in these: give a loaded machine its time.
export default { ...preset, rootDir: import.meta.dirname, testTimeout: 90_000, maxWorkers: 1 };
