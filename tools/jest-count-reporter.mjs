// Leaves each project's counts in test-results/, where scripts/test adds them up.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export default class CountReporter {
  #rootDir;
  constructor(globalConfig) {
    this.#rootDir = globalConfig.rootDir;
  }
  onRunComplete(_contexts, results) {
    const directory = join(this.#rootDir, 'test-results');
    mkdirSync(directory, { recursive: true });
    writeFileSync(
      join(directory, 'counts.json'),
      JSON.stringify({
        project: basename(this.#rootDir),
        passed: results.numPassedTests,
        failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
        skipped: results.numPendingTests + results.numTodoTests,
      }),
    );
  }
}
